import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { plainWords, saysWords } from "@parley/shared/flows/answers/words.ts";

type Script = Pick<Scenario["caller"], "answers" | "otherwise">;

/** A caller who goes by a script. */
export class ScriptedCaller {
  readonly #script: Script;
  /** Those that cut in do so once: what is said again would be cut into again. */
  #cut: readonly Script["answers"][number][] = [];
  #otherwise = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  /** What fits the agent's last words, and what of them was heard by who cuts in. */
  fitting(lastWords: string): { readonly say: string; readonly heard?: string } | undefined {
    const fitting = this.#script.answers.find(
      (answer) => !this.#cut.includes(answer) && saysWords(lastWords, answer.to),
    );
    if (!fitting) return undefined;
    const { say, to, cutsIn } = fitting;
    if (cutsIn) this.#cut = [...this.#cut, fitting];
    return cutsIn ? { say, heard: heardUntil(lastWords, to) } : { say };
  }

  /** Undefined: there is nothing more to say. */
  otherwise(): string | undefined {
    const next = this.#script.otherwise[this.#otherwise];
    this.#otherwise += 1;
    return next;
  }
}

/** What was said until somebody had heard these words of it. */
function heardUntil(said: string, words: string): string {
  const spoken = said.split(/(?<=\s)/);
  const needed = spoken.findIndex((_, index) => saysWords(spoken.slice(0, index + 1).join(""), words));
  return (
    spoken
      .slice(0, needed + 1)
      .join("")
      .trim() || plainWords(said)
  );
}
