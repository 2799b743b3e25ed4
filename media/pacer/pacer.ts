import { FRAME_MS, FRAME_SAMPLES, samplesToMs } from "../pcm.ts";
import { SampleQueue } from "./sample-queue.ts";

export interface PacerOptions {
  /** How far ahead of its playing time a frame is sent. */
  readonly leadMs: number;
  /** Frames due within this time after a due frame go along with it: several frames cost one write. */
  readonly batchMs?: number;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Sends one 20 ms frame that plays at `playAtMs`. The frame is reused: copy what you keep. */
  readonly onFrame: (frame: Int16Array, playAtMs: number) => void;
  /** Called once all audio written before the mark was sent. */
  readonly onMark: (name: string) => void;
  /** Sends a silent frame between written ones; see `fill`. */
  readonly onPause?: (frame: Int16Array, playAtMs: number) => void;
  /** A waiting frame is sent `lateMs` after it should have been played. */
  readonly onLate?: (lateMs: number) => void;
}

interface Mark {
  readonly name: string;
  /** Number of samples written before the mark since the last `clear`. */
  readonly position: number;
}

/** How long before its playing time an incomplete frame stops waiting for more audio. */
const PARTIAL_FRAME_GUARD_MS = FRAME_MS;

/**
 * Releases audio in real time with a small lead. Frame k of a run plays at the run's start + k × 20 ms, so sending
 * never drifts; a late pump sends everything due at once. If everything sent was played out before more came, the next
 * frame starts a new run at its own time.
 */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #queue = new SampleQueue();
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  #marks: Mark[] = [];
  #written = 0;
  #sent = 0;
  /** End of everything sent, in playing time. */
  #playedUntilMs = 0;
  /** End of the written audio that was sent, in playing time, without the filled pauses. */
  #saidUntilMs = 0;
  #isRunning = false;

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  /** Queues `samples`, which must not change afterwards. Nothing is sent before the next `pump`. */
  write(samples: Int16Array): void {
    // Starved rather than late: what was sent ran out while there was nothing to send.
    if (this.#queue.length === 0 && this.#playedUntilMs < this.#options.now()) this.#isRunning = false;
    this.#queue.push(samples);
    this.#written += samples.length;
  }

  /** Calls `onMark` from a later `pump`, once everything written so far was sent. */
  mark(name: string): void {
    this.#marks.push({ name, position: this.#written });
  }

  /** Ends the audio: pads the last frame with silence instead of waiting for more. */
  flush(): void {
    const partial = this.#queue.length % FRAME_SAMPLES;
    if (partial > 0) this.write(new Int16Array(FRAME_SAMPLES - partial));
  }

  /** Sends everything due until now + lead. Call this at least every 20 ms. */
  pump(): void {
    this.#releaseMarks();
    const { leadMs, batchMs = 0 } = this.#options;
    let aheadMs = leadMs;
    while (this.#queue.length > 0) {
      const playAtMs = this.#nextPlayAtMs();
      if (playAtMs - this.#options.now() > this.#waitMs(aheadMs)) return;
      this.#send(playAtMs);
      this.#releaseMarks();
      aheadMs = leadMs + batchMs;
    }
  }

  /** True if `fill` has something to send. */
  isPauseDue(aheadMs: number): boolean {
    return this.#queue.length === 0 && this.#playedUntilMs - this.#options.now() <= aheadMs;
  }

  /** While nothing is written, sends silence up to `aheadMs` ahead, as a carrier for other sound. */
  fill(aheadMs: number): void {
    while (this.isPauseDue(aheadMs)) {
      const playAtMs = Math.max(this.#playedUntilMs, this.#options.now());
      this.#isRunning = true;
      this.#playedUntilMs = playAtMs + FRAME_MS;
      this.#frame.fill(0);
      this.#options.onPause?.(this.#frame, playAtMs);
    }
  }

  /** True if `pump` has something to send. */
  get isDue(): boolean {
    const mark = this.#marks[0];
    if (mark !== undefined && mark.position <= this.#sent) return true;
    if (this.#queue.length === 0) return false;
    return (
      !this.#isRunning || this.#playedUntilMs - this.#options.now() <= this.#waitMs(this.#options.leadMs)
    );
  }

  /** Drops the queue with its marks, and treats sent audio as cut off now. */
  clear(): void {
    this.forget();
    this.#isRunning = false;
    this.#playedUntilMs = Math.min(this.#playedUntilMs, this.#options.now());
    this.#saidUntilMs = Math.min(this.#saidUntilMs, this.#options.now());
  }

  /** Drops the queue with its marks; sent audio still plays, and new audio follows it. */
  forget(): void {
    this.#queue.clear();
    this.#marks = [];
    this.#written = 0;
    this.#sent = 0;
  }

  /** True if nothing waits, including marks, and everything sent has been played. */
  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#marks.length === 0 && this.#saidUntilMs <= this.#options.now();
  }

  /** When the last written audio that was sent finishes playing. */
  get playedUntilMs(): number {
    return this.#saidUntilMs;
  }

  /** Duration of audio that was not sent yet. */
  get queuedMs(): number {
    return samplesToMs(this.#queue.length);
  }

  /** When everything sent or queued finishes playing; in the past once it has. */
  get endsAtMs(): number {
    const frames = Math.ceil(this.#queue.length / FRAME_SAMPLES);
    if (frames === 0) return this.#saidUntilMs;
    const startMs = this.#isRunning ? this.#playedUntilMs : this.#options.now();
    return startMs + frames * FRAME_MS;
  }

  #waitMs(aheadMs: number): number {
    return this.#queue.length < FRAME_SAMPLES ? Math.min(PARTIAL_FRAME_GUARD_MS, aheadMs) : aheadMs;
  }

  #nextPlayAtMs(): number {
    const nowMs = this.#options.now();
    if (this.#isRunning) {
      const lateMs = nowMs - this.#playedUntilMs;
      if (lateMs <= 0) return this.#playedUntilMs;
      this.#options.onLate?.(lateMs);
    }
    // The listener has nothing left, so this frame plays now, whatever the old run had planned.
    this.#isRunning = true;
    this.#playedUntilMs = nowMs;
    return nowMs;
  }

  #send(playAtMs: number): void {
    const taken = this.#queue.take(this.#frame);
    this.#frame.fill(0, taken);
    this.#sent += taken;
    this.#playedUntilMs = playAtMs + FRAME_MS;
    this.#saidUntilMs = this.#playedUntilMs;
    this.#options.onFrame(this.#frame, playAtMs);
  }

  #releaseMarks(): void {
    let first = this.#marks[0];
    while (first !== undefined && first.position <= this.#sent) {
      this.#marks.shift();
      this.#options.onMark(first.name);
      first = this.#marks[0];
    }
  }
}
