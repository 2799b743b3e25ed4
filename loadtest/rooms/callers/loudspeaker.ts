import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { levelDb } from "../sounds/level.ts";

const AUDIBLE_DB = -55;

/** 20 ms of audio for the caller. */
export interface PlayedFrame {
  readonly samples: Int16Array;
  readonly isAudible: boolean;
  /** The agent's words in it, as the gateway announced the clause; empty until then. */
  readonly clause: string;
}

const SILENCE: PlayedFrame = { samples: new Int16Array(FRAME_SAMPLES), isAudible: false, clause: "" };

/** The caller's loudspeaker: plays audio in order, and drops the rest on `clear`. */
export class Loudspeaker {
  #queue: PlayedFrame[] = [];
  #rest = new Int16Array(0);
  #clause = "";

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** An answer is about to start: its audio gets its words when they are announced, just after it. */
  begins(): void {
    this.#clause = "";
  }

  /** Labels audio from now on, and earlier unlabeled audio, with this clause. */
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

  /** Drops what is queued; returns how many audible frames went unheard. */
  clear(): number {
    const dropped = this.#queue.filter(({ isAudible }) => isAudible).length;
    this.#queue = [];
    this.#rest = new Int16Array(0);
    return dropped;
  }

  /** The next 20 ms; silence when the queue is empty. */
  play(): PlayedFrame {
    return this.#queue.shift() ?? SILENCE;
  }
}
