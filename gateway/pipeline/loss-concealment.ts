import { CONTEXT_SAMPLES, conceal } from "@parley/media/concealment/conceal.ts";
import { msToSamples, samplesToMs } from "@parley/media/pcm.ts";

/** Longer losses are not concealed: the recognizer would hear a word that nobody said. */
const LONGEST_LOSS_MS = 60;
/** A line only ever adds delay: one this little short of whole messages still counts as whole messages. */
const EARLY_MS = 2;
/** A delay further than this share of a message from a whole number of messages is no loss. */
const SAME_SHARE = 0.4;
/** How long a message behind a gap waits for the following ones, which tell a loss from a delay. */
const DECIDED_MS = 50;
/** The line's minimum delay is taken over the last one to two windows. */
const WINDOW_MS = 1_000;
/** A line with this many messages a whole message late in that time delays them rather than losing them. */
const UNSTEADY_FROM = 3;

export interface LossConcealmentOptions {
  /** Takes audio that arrived at `nowMs`. All audio that arrives is placed once, in order. */
  readonly place: (nowMs: number, samples: Int16Array) => void;
  /** Takes concealment for audio lost before the next audio placed. */
  readonly fill: (samples: Int16Array) => void;
}

interface Held {
  readonly samples: Int16Array;
  readonly atMs: number;
  /** How much later the message came than the earliest of late. */
  readonly behindMs: number;
}

/**
 * Finds messages of a caller's audio that never arrived, and conceals them. On a lossless line, messages arrive spaced
 * by the audio between them, some later. A message that is a whole message behind was therefore late if one of the next
 * catches up, and has a lost one before it if none does (docs/decisions/turns.md#lost-frames-made-up).
 */
export class LossConcealment {
  readonly #options: LossConcealmentOptions;
  readonly #before = new Int16Array(CONTEXT_SAMPLES);
  readonly #line = new LineDelay();
  #lastMs: number | undefined;
  /** Messages behind a gap that may or may not be a loss. */
  #held: Held[] = [];

  constructor(options: LossConcealmentOptions) {
    this.#options = options;
  }

  /** Takes what arrived at `nowMs`; `samples` may be reused afterwards. */
  push(nowMs: number, samples: Int16Array): void {
    const lengthMs = samplesToMs(samples.length);
    const sinceMs = nowMs - (this.#lastMs ?? nowMs - lengthMs);
    this.#lastMs = nowMs;
    const behindMs = this.#line.arrived(nowMs, lengthMs);
    if (this.#held.length === 0) {
      this.#judge({ samples, atMs: nowMs, behindMs }, lengthMs);
      return;
    }
    this.#held.push({ samples: samples.slice(), atMs: nowMs, behindMs });
    const leastMs = Math.min(...this.#held.map((held) => held.behindMs));
    const lostMs = lostMsOf(leastMs, lengthMs);
    if (lostMs === 0) this.#wereLate();
    // Audio that a delay held back arrives at once, and the last message of it decides.
    else if (sinceMs >= lengthMs / 2) this.#fill(lostMs, lengthMs);
  }

  /** Called every 20 ms. */
  tick(nowMs: number): void {
    const first = this.#held[0];
    if (first && nowMs >= first.atMs + DECIDED_MS) this.#wereLate();
  }

  #judge({ samples, atMs, behindMs }: Held, lengthMs: number): void {
    if (lostMsOf(behindMs, lengthMs) === 0) this.#place(atMs, samples);
    else if (!this.#line.isUnsteady) this.#held = [{ samples: samples.slice(), atMs, behindMs }];
    else {
      this.#line.late(1);
      this.#place(atMs, samples);
    }
  }

  #wereLate(): void {
    const held = this.#held;
    this.#held = [];
    this.#line.late(held.length);
    for (const { atMs, samples } of held) this.#place(atMs, samples);
  }

  #fill(lostMs: number, lengthMs: number): void {
    const held = this.#held;
    this.#held = [];
    this.#line.lost(lostMs);
    const after = joined(held.map(({ samples }) => samples));
    this.#options.fill(conceal(msToSamples(lostMs), this.#before, after));
    const last = held.pop();
    for (const { atMs, samples } of held) this.#place(atMs, samples);
    // Another loss may follow.
    if (last) this.#judge({ ...last, behindMs: last.behindMs - lostMs }, lengthMs);
  }

  #place(nowMs: number, samples: Int16Array): void {
    this.#options.place(nowMs, samples);
    const kept = samples.subarray(-CONTEXT_SAMPLES);
    this.#before.copyWithin(0, kept.length);
    this.#before.set(kept, CONTEXT_SAMPLES - kept.length);
  }
}

/** How much later than its minimum a line delivers messages. */
class LineDelay {
  #startMs: number | undefined;
  /** Duration of all received and concealed audio. */
  #audioMs = 0;
  #windowEndsMs = 0;
  /** The least delay and the number of late messages, in this window and in the previous one. */
  #window = { leastMs: Number.POSITIVE_INFINITY, late: 0 };
  #before = { leastMs: Number.POSITIVE_INFINITY, late: 0 };

  get isUnsteady(): boolean {
    return this.#window.late + this.#before.late >= UNSTEADY_FROM;
  }

  /** Notes a message. Returns how much later it came than the earliest of late would have. */
  arrived(nowMs: number, lengthMs: number): number {
    this.#startMs ??= nowMs;
    if (nowMs >= this.#windowEndsMs) {
      this.#before = this.#window;
      this.#window = { leastMs: Number.POSITIVE_INFINITY, late: 0 };
      this.#windowEndsMs = nowMs + WINDOW_MS;
    }
    const delayMs = nowMs - this.#startMs - this.#audioMs;
    this.#audioMs += lengthMs;
    this.#window.leastMs = Math.min(this.#window.leastMs, delayMs);
    return delayMs - Math.min(this.#window.leastMs, this.#before.leastMs);
  }

  late(messages: number): void {
    this.#window.late += messages;
  }

  /** Counts `ms` of audio before the last message as lost. */
  lost(ms: number): void {
    this.#audioMs += ms;
  }
}

/** Duration lost before messages whose earliest came `behindMs` late; 0 for nothing or too much. */
function lostMsOf(behindMs: number, lengthMs: number): number {
  const messages = Math.floor((behindMs + EARLY_MS) / lengthMs);
  const lostMs = messages * lengthMs;
  if (messages < 1 || lostMs > LONGEST_LOSS_MS) return 0;
  return behindMs - lostMs <= lengthMs * SAME_SHARE ? lostMs : 0;
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
