import { plainWords } from "@parley/shared/flows/answers/words.ts";

/** What the caller said, and what the agent understood of it. */
export interface Utterance {
  readonly said: string;
  readonly understood: readonly string[];
}

/** How many of the caller's words were understood as others, left out or made up. */
export function wordFigures(utterances: readonly Utterance[]): { said: number; wrong: number } {
  const all = utterances.map(({ said, understood }) => ({
    said: wordsOf(said),
    understood: wordsOf(understood.join(" ")),
  }));
  return {
    said: all.reduce((sum, { said }) => sum + said.length, 0),
    wrong: all.reduce((sum, { said, understood }) => sum + changesBetween(said, understood), 0),
  };
}

/** Whether the agent understood the very words. */
export function isUnderstood({ said, understood }: Utterance): boolean {
  return plainWords(said) === plainWords(understood.join(" "));
}

function wordsOf(text: string): readonly string[] {
  return plainWords(text)
    .split(" ")
    .filter((word) => word !== "");
}

/** The fewest words to change, leave out or add (Levenshtein). */
function changesBetween(from: readonly string[], to: readonly string[]): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [nr, word] of from.entries()) {
    const next = [nr + 1];
    for (const [at, other] of to.entries()) {
      const changed = (row[at] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
