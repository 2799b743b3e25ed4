import type { EventLoopUtilization } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { Lane, type LaneFrame } from "./lane.ts";
import type { Done, FrontEndBatch, FrontEndMessage } from "./tasks.ts";

/** One caller's path through the front end. */
export interface FrontEndStream {
  /**
   * Hands over a 20 ms frame, which is copied; `tasks` are bits of `TASK`. `done` is called later, in the order of the
   * frames, even if the front end fails.
   */
  push(frame: Int16Array, tasks: number, done: Done): void;
  /** Ends the stream; its pending results are no longer wanted. */
  close(): void;
}

export interface FrontEndOptions {
  readonly clock: Clock;
  /** A thread could not be started, or died. */
  readonly onFailed: (problem: string) => void;
  /** A batch of frames came back after `tookMs`. */
  readonly onAnswer: (tookMs: number, frames: number) => void;
}

interface Waiting extends LaneFrame {
  readonly stream: number;
}

/** Pause before a failed thread is restarted; a machine without the model stays without it. */
const RESTART_MS = 60_000;
/** Minimum interval between batches of several calls: waking two threads costs more than judging a window. */
const BATCH_EVERY_MS = 10;

type ThreadState =
  | { readonly kind: "none" }
  | { readonly kind: "loading"; readonly worker: Worker }
  | { readonly kind: "ready"; readonly worker: Worker }
  | { readonly kind: "failed"; readonly untilMs: number };

/**
 * Runs the noise suppression and the neural voice detector for all calls of a node on a separate thread, so that a
 * model's arithmetic never delays a call's audio. One batch is in flight at a time, and frames that arrive meanwhile
 * form the next one: batches grow with the load, which makes each frame cheaper.
 */
export class FrontEnd {
  readonly #options: FrontEndOptions;
  #thread: ThreadState = { kind: "none" };
  #waiting: Waiting[] = [];
  #inFlight: { readonly frames: readonly Waiting[]; readonly sentAtMs: number } | undefined;
  #closed: number[] = [];
  #isFlushDue = false;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #nextStream = 1;
  #openStreams = 0;
  #isOver = false;

  constructor(options: FrontEndOptions) {
    this.#options = options;
  }

  /** True if the front end takes frames. The first read starts loading it. */
  get isReady(): boolean {
    const { kind } = this.#thread;
    const mayStart =
      kind === "none" ||
      (this.#thread.kind === "failed" && this.#options.clock.monotonicMs() >= this.#thread.untilMs);
    if (mayStart && !this.#isOver) this.#start();
    return kind === "ready";
  }

  /** Share of its time that the thread was busy since `before`, 0 to 1, and the next value for `before`. */
  busySince(before: EventLoopUtilization | undefined): {
    share: number;
    mark: EventLoopUtilization | undefined;
  } {
    if (this.#thread.kind !== "ready") return { share: 0, mark: undefined };
    const { performance } = this.#thread.worker;
    const mark = performance.eventLoopUtilization();
    return { share: performance.eventLoopUtilization(mark, before).utilization, mark };
  }

  open(): FrontEndStream {
    const stream = this.#nextStream++;
    const lane = new Lane();
    this.#openStreams += 1;
    return {
      push: (frame, tasks, done) => {
        if (this.#thread.kind !== "ready") {
          done(undefined);
          return;
        }
        const due = lane.push(frame.slice(), tasks, done);
        for (const one of due) this.#waiting.push({ ...one, stream });
        if (due.length > 0) this.#flushSoon();
      },
      close: () => {
        this.#openStreams -= 1;
        this.#closed.push(stream);
      },
    };
  }

  async close(): Promise<void> {
    this.#isOver = true;
    const thread = this.#thread;
    this.#giveUp();
    this.#thread = { kind: "none" };
    if ("worker" in thread) await thread.worker.terminate();
  }

  #start(): void {
    const worker = new Worker(new URL("./thread.ts", import.meta.url));
    worker.unref();
    this.#thread = { kind: "loading", worker };
    worker.on("message", (message: FrontEndMessage) => this.#onMessage(worker, message));
    worker.on("error", (error) => this.#onFailed(worker, error.message));
    worker.on("exit", () => this.#onFailed(worker, "its thread ended"));
  }

  #onMessage(worker: Worker, message: FrontEndMessage): void {
    if (!("worker" in this.#thread) || this.#thread.worker !== worker) return;
    switch (message.type) {
      case "ready":
        this.#thread = { kind: "ready", worker };
        break;
      case "failed":
        this.#onFailed(worker, message.problem);
        break;
      case "answer":
        this.#onAnswer(message);
        break;
      default:
        message satisfies never;
    }
  }

  /** Sends everything that becomes ready meanwhile in one message. */
  #flushSoon(): void {
    if (this.#isFlushDue || this.#inFlight) return;
    this.#isFlushDue = true;
    const flush = (): void => {
      this.#isFlushDue = false;
      this.#flush();
    };
    // The thread runs in real time, whatever clock the calls use. A single call has no other to wait for.
    const everyMs = this.#openStreams > 1 ? BATCH_EVERY_MS : 0;
    const waitMs = this.#sentAtMs + everyMs - systemClock.monotonicMs();
    if (waitMs > 0) systemClock.after(waitMs, flush);
    else setImmediate(flush);
  }

  #flush(): void {
    if (this.#inFlight || this.#waiting.length === 0 || this.#thread.kind !== "ready") return;
    const frames = this.#waiting;
    this.#waiting = [];
    const batch = toBatch(frames, this.#closed);
    this.#closed = [];
    this.#sentAtMs = systemClock.monotonicMs();
    this.#inFlight = { frames, sentAtMs: this.#options.clock.monotonicMs() };
    this.#thread.worker.postMessage(batch, [batch.streams.buffer, batch.tasks.buffer, batch.samples.buffer]);
  }

  #onAnswer({ probabilities, samples }: Extract<FrontEndMessage, { type: "answer" }>): void {
    const inFlight = this.#inFlight;
    if (!inFlight) return;
    this.#inFlight = undefined;
    const { clock, onAnswer } = this.#options;
    onAnswer(clock.monotonicMs() - inFlight.sentAtMs, inFlight.frames.length);
    if (this.#waiting.length > 0) this.#flushSoon();
    for (const [i, { done }] of inFlight.frames.entries()) {
      const probability = probabilities[i] as number;
      done?.({ probability, samples: samples.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES) });
    }
  }

  #onFailed(worker: Worker, problem: string): void {
    if (!("worker" in this.#thread) || this.#thread.worker !== worker) return;
    this.#thread = { kind: "failed", untilMs: this.#options.clock.monotonicMs() + RESTART_MS };
    this.#giveUp();
    void worker.terminate();
    this.#options.onFailed(problem);
  }

  #giveUp(): void {
    const frames = [...(this.#inFlight?.frames ?? []), ...this.#waiting];
    this.#inFlight = undefined;
    this.#waiting = [];
    this.#closed = [];
    for (const { done } of frames) done?.(undefined);
  }
}

function toBatch(frames: readonly Waiting[], closed: readonly number[]): FrontEndBatch {
  const samples = new Int16Array(frames.length * FRAME_SAMPLES);
  for (const [i, { frame }] of frames.entries()) samples.set(frame, i * FRAME_SAMPLES);
  return {
    streams: Int32Array.from(frames, ({ stream }) => stream),
    tasks: Uint8Array.from(frames, ({ tasks }) => tasks),
    samples,
    closed,
  };
}
