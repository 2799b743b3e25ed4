import type { Dispatcher } from "undici";
import { AppError } from "../errors.ts";
import { asAppError } from "./guarded-request.ts";

/** How long a receiver may take for the rest of its answer after the status. */
const BODY_WITHIN_MS = 2_000;
/** How long a request may wait to be sent; a connection attempt itself times out sooner. */
const SENT_WITHIN_MS = 15_000;
const FIRST_FINAL_STATUS = 200;

/** No connection was available in time: the receiver has not seen a byte, and nothing is known about it. */
export class NeverSentError extends AppError {
  constructor() {
    super("unavailable", `There was no connection for it within ${SENT_WITHIN_MS} ms.`);
    this.name = "NeverSentError";
  }
}

/** An address, taken apart once for all that is posted to it. */
export interface Target {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

export function targetOf({ origin, pathname, search }: URL): Target {
  return { origin, path: pathname + search };
}

export interface GuardedPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit for the status, from when the request is sent; the rest of the answer gets a moment more. */
  readonly timeoutMs: number;
  /** Maximum bytes of the answer that are read. */
  readonly keepBytes: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Posts to an address given by a customer and returns the status with the beginning of the answer, however long or
 * slow the rest is. A redirect is an ordinary answer. Throws `NeverSentError`, or `AppError` deadline_exceeded,
 * blocked_address, or unavailable; the cause of unavailable is the network's own error.
 */
export function guardedPost(
  dispatcher: Dispatcher,
  url: string | Target,
  post: GuardedPost,
): Promise<Answer> {
  const { origin, path } = typeof url === "string" ? targetOf(new URL(url)) : url;
  const { headers, body } = post;
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader(post, { resolve, reject });
    try {
      // Otherwise it has a connection, or one is being made, which times out sooner.
      const hasClient = dispatcher.dispatch({ origin, path, method: "POST", headers, body }, reader);
      if (!hasClient) reader.waitForClient();
    } catch (error) {
      reader.fail(error);
    }
  });
}

interface Settle {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads one answer as it arrives: a stream per answer, with its signal, would cost more than the exchange itself. What is
 * over at once has no timer: most requests do not wait for a connection, and most answers end with their first bytes.
 */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #settle: Settle;
  readonly #timeoutMs: number;
  readonly #keepBytes: number;
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #bytes = 0;
  #isOver = false;

  constructor({ timeoutMs, keepBytes }: GuardedPost, settle: Settle) {
    this.#settle = settle;
    this.#timeoutMs = timeoutMs;
    this.#keepBytes = keepBytes;
  }

  /** To be called if all connections are in use. */
  waitForClient(): void {
    if (this.#controller === undefined && !this.#isOver)
      this.#timer = setTimeout(() => this.fail(new NeverSentError()), SENT_WITHIN_MS);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request waited too long for a connection.
    if (this.#isOver) controller.abort(new Error("nobody waits for this answer"));
    else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#giveUp({ isLate: true }), this.#timeoutMs);
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // 1xx means that the answer is still to come.
    if (status < FIRST_FINAL_STATUS) return;
    this.#status = status;
    // What arrived with the status is read before this runs.
    queueMicrotask(() => this.#waitForTheRest());
  }

  #waitForTheRest(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp({ isLate: false }), BODY_WITHIN_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= this.#keepBytes) this.#giveUp({ isLate: false });
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** The exchange broke off: if a status had arrived, the answer is that status and what followed it. */
  fail(error: unknown, { isLate } = { isLate: false }): void {
    if (this.#isOver) return;
    if (this.#status !== undefined) {
      this.#end();
      return;
    }
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#settle.reject(asAppError(error, { aborted: isLate }, this.#timeoutMs));
  }

  #giveUp(how: { isLate: boolean }): void {
    const reason = how.isLate
      ? new DOMException("there was no answer in time", "TimeoutError")
      : new Error("the answer is too slow or too long");
    this.fail(reason, how);
    this.#controller?.abort(reason);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#settle.resolve({ status: this.#status ?? 0, body: this.#bytes === 0 ? "" : this.#text() });
  }

  #text(): string {
    const kept = Buffer.concat(this.#chunks).subarray(0, this.#keepBytes);
    return new TextDecoder().decode(kept).replaceAll("\0", "\uFFFD");
  }
}
