import { Worker } from "node:worker_threads";
import { AppError } from "@parley/shared/errors.ts";
import type { PgliteThreadData, QueryFault, QueryMessage, ThreadAnswer } from "./protocol.ts";

/** A database error: SQLSTATE, violated constraint and table, named as in node-postgres. */
class PgliteError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly table: string | undefined;

  constructor({ message, code, constraint, table }: QueryFault) {
    super(message);
    this.name = "PgliteError";
    this.code = code;
    this.constraint = constraint;
    this.table = table;
  }
}

type Result = Extract<ThreadAnswer, { rows: unknown[] }>;

interface Pending {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** Talks to the database thread. Queries are answered in order. */
export class PgliteClient {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #closed: Promise<void>;
  #nextId = 1;
  #failure: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#closed = new Promise((resolve) => worker.once("exit", () => resolve()));
    worker.on("message", (answer: ThreadAnswer | "closed") => {
      if (answer !== "closed") this.#onAnswer(answer);
    });
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new AppError("unavailable", "The embedded database is closed.")));
  }

  /** Starts the thread; resolves when the database is ready (a few seconds the first time). */
  static async open(workerData: PgliteThreadData): Promise<PgliteClient> {
    const worker = new Worker(new URL("./thread.ts", import.meta.url), { workerData });
    await new Promise<void>((resolve, reject) => {
      worker.once("message", () => resolve());
      worker.once("error", reject);
    });
    return new PgliteClient(worker);
  }

  query(sql: string, parameters: readonly unknown[]): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure);
    const message: QueryMessage = { id: this.#nextId++, sql, parameters };
    return new Promise((resolve, reject) => {
      this.#pending.set(message.id, { resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    this.#worker.postMessage("close");
    await this.#closed;
  }

  #onAnswer(answer: ThreadAnswer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ("error" in answer) pending?.reject(new PgliteError(answer.error));
    else pending?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}
