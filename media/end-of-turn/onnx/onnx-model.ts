import { Worker } from "node:worker_threads";
import type { EndOfTurnModel, SaidSoFar } from "../end-of-turn-model.ts";
import { WithinTime, type WithinTimeOptions } from "../within-time.ts";
import type { ModelMessage, SoundQuestion } from "./messages.ts";

interface OnnxModelOptions extends WithinTimeOptions {
  /** Path of the `.onnx` file. */
  readonly path: string;
}

/** A model that loads longer than this is refused: its disk does not answer, or it is far too large to be asked. */
const LOAD_MS = 60_000;

interface Question {
  readonly said: SaidSoFar;
  readonly signal: AbortSignal;
  readonly answer: (finished: number) => void;
  readonly fail: (error: Error) => void;
}

/**
 * An operator's model that hears whether the caller is done, on its own thread. It is asked one question at a time;
 * questions that wait too long are dropped, so a slow model has no backlog to work off.
 */
export class OnnxEndOfTurnModel implements EndOfTurnModel {
  readonly withinMs: number;
  readonly hearsMs: number;
  readonly #inTime: WithinTime;
  #worker: Worker | undefined;
  #isOver = false;
  #waiting: Question[] = [];
  #inFlight: (Question & { readonly id: number }) | undefined;
  #nextId = 1;

  private constructor(options: OnnxModelOptions, { worker, hearsMs }: Loaded) {
    this.#inTime = new WithinTime(options);
    this.withinMs = options.withinMs;
    this.hearsMs = hearsMs;
    this.#use(worker);
  }

  /** Loads the model. Rejects with what is wrong: the file, its inputs or outputs, or a missing ONNX runtime. */
  static async open(options: OnnxModelOptions): Promise<OnnxEndOfTurnModel> {
    return new OnnxEndOfTurnModel(options, await load(options));
  }

  ask(said: SaidSoFar): Promise<number | undefined> {
    return this.#inTime.ask((signal) => this.#question(said, signal));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#failAll(new Error("the gateway ends"));
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #question(said: SaidSoFar, signal: AbortSignal): Promise<number> {
    return new Promise((answer, fail) => {
      if (!this.#worker) {
        fail(new Error("the model's thread has ended"));
        return;
      }
      signal.addEventListener("abort", () => fail(new Error("it took too long")), { once: true });
      this.#waiting.push({ said, signal, answer, fail });
      this.#askNext();
    });
  }

  #askNext(): void {
    if (this.#inFlight || !this.#worker) return;
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    const next = this.#waiting.shift();
    if (!next) return;
    const id = this.#nextId++;
    this.#inFlight = { ...next, id };
    const question: SoundQuestion = { id, samples: next.said.sound().slice() };
    this.#worker.postMessage(question, [question.samples.buffer]);
  }

  #use(worker: Worker): void {
    this.#worker = worker;
    worker.on("message", (message: ModelMessage) => {
      if (message.type === "answer") this.#onAnswer(message);
    });
    worker.on("error", () => this.#onEnded(worker));
    worker.on("exit", () => this.#onEnded(worker));
  }

  #onAnswer({ id, finished }: Extract<ModelMessage, { type: "answer" }>): void {
    const asked = this.#inFlight;
    if (asked?.id !== id) return;
    this.#inFlight = undefined;
    if (finished === undefined) asked.fail(new Error("the model gives no probability"));
    else asked.answer(finished);
    this.#askNext();
  }

  /** From here on the built-in judgment ends turns; the metric's `failed` shows that. */
  #onEnded(worker: Worker): void {
    if (this.#worker !== worker || this.#isOver) return;
    this.#worker = undefined;
    this.#failAll(new Error("the model's thread has ended"));
  }

  #failAll(error: Error): void {
    const questions = [...(this.#inFlight ? [this.#inFlight] : []), ...this.#waiting];
    this.#inFlight = undefined;
    this.#waiting = [];
    for (const { fail } of questions) fail(error);
  }
}

interface Loaded {
  readonly worker: Worker;
  readonly hearsMs: number;
}

async function load({ path, clock }: Pick<OnnxModelOptions, "path" | "clock">): Promise<Loaded> {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), { workerData: path });
  worker.unref();
  let cancel = (): void => undefined;
  try {
    const hearsMs = await new Promise<number>((resolve, reject) => {
      const tooLate = new Error(`it was not loaded within ${LOAD_MS / 1_000} s`);
      cancel = clock.after(LOAD_MS, () => reject(tooLate));
      worker.once("message", (message: ModelMessage) => {
        if (message.type === "ready") resolve(message.hearsMs);
        else
          reject(new Error(message.type === "refused" ? message.problem : "it answers before it is asked"));
      });
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("its thread ended")));
    });
    return { worker, hearsMs };
  } catch (error) {
    // Not awaited: a thread stuck in a read ends when the read does.
    void worker.terminate();
    throw error;
  } finally {
    cancel();
  }
}
