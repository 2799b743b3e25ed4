import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { plainWords, saysWords } from "@parley/shared/flows/answers/words.ts";

type Script = Pick<Scenario["caller"], "answers" | "otherwise">;
type Answer = Script["answers"][number];

/** A caller who follows a script. */
export class ScriptedCaller {
  readonly #script: Script;
  /** Answers that interrupt do so once, or a repeated phrase would be interrupted again. */
  #cut: readonly Answer[] = [];
  #otherwise = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  /** The script's answer to the agent's words. */
  fitting(words: string): Answer | undefined {
    return this.#script.answers.find((answer) => !this.#cut.includes(answer) && saysWords(words, answer.to));
  }

  /** What the answer says; one that interrupts is used up by it. */
  say(answer: Answer): string {
    if (answer.cutsIn) this.#cut = [...this.#cut, answer];
    return answer.say;
  }

  /** Returns undefined when there is nothing more to say. */
  otherwise(): string | undefined {
    const next = this.#script.otherwise[this.#otherwise];
    this.#otherwise += 1;
    return next;
  }
}

/** The text up to and including these words. */
export function heardUntil(said: string, words: string): string {
  const spoken = said.split(/(?<=\s)/);
  const needed = spoken.findIndex((_, index) => saysWords(spoken.slice(0, index + 1).join(""), words));
  return (
    spoken
      .slice(0, needed + 1)
      .join("")
      .trim() || plainWords(said)
  );
}
