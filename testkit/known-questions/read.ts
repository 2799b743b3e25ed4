import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A question, and where its answer is. */
export interface KnownQuestion {
  readonly question: string;
  readonly document: string;
  readonly heading: string;
}

const QUESTION = /^\? (.+)$/gm;
const files = globSync("*.md", { cwd: import.meta.dirname }).toSorted();
const texts = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));

/** Documents written for this, by their titles, without their questions. */
export const KNOWN_DOCUMENTS: ReadonlyMap<string, string> = new Map(
  texts.map((text) => [titleOf(text), text.replaceAll(QUESTION, "").replaceAll(/\n{2,}/g, "\n\n")]),
);

/** Two questions for each passage: the first with words of it, the second as people ask who have not read it. */
export const KNOWN_QUESTIONS: readonly KnownQuestion[] = texts.flatMap((text) =>
  text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const heading = `${titleOf(text)} › ${section.slice(0, section.indexOf("\n"))}`;
      return [...section.matchAll(QUESTION)].map(([, question = ""]) => ({
        question,
        heading,
        document: titleOf(text),
      }));
    }),
);

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}
