import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { levelDb } from "../sounds/level.ts";

const AUDIBLE_DB = -55;

/** 20 ms that the caller hears. */
export interface PlayedFrame {
  readonly samples: Int16Array;
  readonly isAudible: boolean;
  /** What the agent says in it, as the gateway told when the clause began; empty until it has. */
  readonly clause: string;
}

const SILENCE: PlayedFrame = { samples: new Int16Array(FRAME_SAMPLES), isAudible: false, clause: "" };

/** The caller's loudspeaker: plays what came, in order, and drops the rest when it is told to. */
export class Loudspeaker {
  #queue: PlayedFrame[] = [];
  #rest = new Int16Array(0);
  #clause = "";

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** An answer is about to begin: what comes now is named when its words are told, which come just after it. */
  begins(): void {
    this.#clause = "";
  }

  /** The audio that comes from now on says this, and so does what came before it without a name. */
  says(clause: string): void {
    this.#clause = clause;
    this.#queue = this.#queue.map((frame) => (frame.clause === "" ? { ...frame, clause } : frame));
  }

  take(bytes: Buffer): void {
    const came = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const samples = new Int16Array(this.#rest.length + came.length);
    samples.set(this.#rest);
    samples.set(came, this.#rest.length);
    let at = 0;
    for (; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
      const frame = samples.subarray(at, at + FRAME_SAMPLES);
      this.#queue.push({ samples: frame, isAudible: levelDb(frame) > AUDIBLE_DB, clause: this.#clause });
    }
    this.#rest = samples.slice(at);
  }

  /** Tells how many audible frames nobody will hear. */
  clear(): number {
    const dropped = this.#queue.filter(({ isAudible }) => isAudible).length;
    this.#queue = [];
    this.#rest = new Int16Array(0);
    return dropped;
  }

  /** The next 20 ms; silence when nothing is there. */
  play(): PlayedFrame {
    return this.#queue.shift() ?? SILENCE;
  }
}
