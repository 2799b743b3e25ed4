import type { Reply } from "../pipeline/reply.ts";

/** Beyond the lead, this much of the audio already handed on may still be on its way to the loudspeaker. */
const ON_ITS_WAY_MS = 200;

type Speaking = Pick<Reply, "clauseAtCursor" | "hasAudio" | "isComplete" | "isDrained">;

/** Tells when the sentence being said has been heard to its end. */
export class SentenceEnd {
  readonly #speaking: Speaking | undefined;
  readonly #clause: number;
  readonly #now: () => number;
  readonly #leadMs: number;
  #heardAtMs: number | undefined;

  /** `leadMs`: how far ahead of its playing time audio is sent. */
  constructor(reply: Speaking | undefined, deps: { now: () => number; leadMs: number }) {
    this.#speaking = reply?.hasAudio ? reply : undefined;
    this.#clause = reply?.clauseAtCursor ?? -1;
    this.#now = deps.now;
    this.#leadMs = deps.leadMs;
  }

  /** `reply`: the reply being said now. */
  isSaid(reply: Speaking | undefined): boolean {
    const speaking = this.#speaking;
    if (speaking === undefined || reply !== speaking) return true;
    const isSent = speaking.clauseAtCursor > this.#clause || (speaking.isComplete && speaking.isDrained);
    if (isSent) this.#heardAtMs ??= this.#now() + this.#leadMs + ON_ITS_WAY_MS;
    return this.#heardAtMs !== undefined && this.#now() >= this.#heardAtMs;
  }
}
