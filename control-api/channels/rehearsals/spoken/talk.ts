import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import type { Rehearsal } from "@parley/shared/contracts/rehearsals.ts";
import { isUnderstood, type Utterance } from "./words.ts";

type Line = Rehearsal["transcript"][number];

interface Said extends Utterance {
  /** How many lines there were before it. */
  readonly at: number;
  readonly understood: string[];
}

/** What was said in a call, as the agent understood it and as the caller meant it. */
export class Talk {
  readonly #lines: Line[] = [];
  readonly #said: Said[] = [];

  /** How many times the caller has spoken. */
  get turns(): number {
    return this.#said.length;
  }

  get utterances(): readonly Utterance[] {
    return this.#said;
  }

  /** The caller says something from now on. */
  says(text: string): void {
    this.#said.push({ said: text, understood: [], at: this.#lines.length });
  }

  /** Takes a final transcript of the gateway. */
  hear({ role, text, turn }: Extract<ServerMessage, { type: "transcript" }>): void {
    this.#lines.push({ role, text, turn });
    if (role === "user") this.#said.at(-1)?.understood.push(text);
  }

  /** Whether the agent has said something since the caller spoke last, in a turn after `turn`. */
  isAnsweredAfter(turn: number): boolean {
    const since = this.#said.at(-1)?.at ?? 0;
    return this.#lines.slice(since).some((line) => line.role === "assistant" && line.turn > turn);
  }

  /** The conversation as the caller knows it: their own words. */
  callersView(): readonly Line[] {
    return this.transcript().map(({ said, ...line }) => ({ ...line, text: said ?? line.text }));
  }

  /** The conversation with what was understood, and beside it what was said. */
  transcript(): Line[] {
    const lines = [...this.#lines];
    for (const one of this.#said.toReversed()) {
      if (isUnderstood(one)) continue;
      const at = lines.findIndex(({ role }, index) => role === "user" && index >= one.at);
      const isTheirs = one.understood.length > 0 && at !== -1;
      const line = isTheirs
        ? lines[at]
        : { role: "user" as const, text: "", turn: lines[one.at - 1]?.turn ?? 0 };
      if (!line) continue;
      lines.splice(isTheirs ? at : one.at, isTheirs ? 1 : 0, { ...line, said: one.said });
    }
    return lines;
  }
}
