import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { saysWords } from "@parley/shared/flows/answers/words.ts";

/** A caller who goes by a script. */
export class ScriptedCaller {
  readonly #script: Scenario["caller"];
  #otherwise = 0;

  constructor(script: Scenario["caller"]) {
    this.#script = script;
  }

  /** What is said to the agent's last words; undefined: there is nothing more to say. */
  answer(lastWords: string): string | undefined {
    const fitting = this.#script.answers.find(({ to }) => saysWords(lastWords, to));
    if (fitting) return fitting.say;
    const next = this.#script.otherwise[this.#otherwise];
    this.#otherwise += 1;
    return next;
  }
}
