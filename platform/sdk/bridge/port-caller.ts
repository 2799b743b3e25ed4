import { FRAME_GRACE_MS, type FromFrame, type FromHost, MAX_CALLS_UNDER_WAY } from "../wire.ts";
import type { AnswerEvents, Call, Caller, SubscriptionEvents } from "./caller.ts";
import { PlatformError } from "./platform-error.ts";

/** The part of a MessagePort the caller uses. */
export interface Port {
  postMessage(message: unknown): void;
}

type Answer = Extract<FromHost, { kind: "result" | "error" | "event" | "resync" }>;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: PlatformError) => void;
  readonly onEvent: ((event: unknown) => void) | undefined;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly method: string;
}

/** A call queued until fewer are under way. */
interface Waiting {
  readonly id: number;
  readonly call: Call;
  readonly start: () => void;
  readonly reject: (error: PlatformError) => void;
}

/** The app's side of the bridge. Every promise it returns settles, whatever the host does. */
export class PortCaller implements Caller {
  readonly #port: Port;
  readonly #pending = new Map<number, Pending>();
  readonly #subscriptions = new Map<number, SubscriptionEvents>();
  #waiting: Waiting[] = [];
  #lastId = 0;
  #closed: PlatformError | undefined;

  constructor(port: Port) {
    this.#port = port;
  }

  async call(call: Call, { onEvent, signal }: Partial<AnswerEvents> = {}): Promise<unknown> {
    const id = this.#nextId();
    const cancel = (): void => this.#cancel(id);
    signal?.addEventListener("abort", cancel);
    try {
      if (signal?.aborted) throw canceled();
      return await this.#start(id, call, onEvent);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  async subscribe(call: Call, on: SubscriptionEvents): Promise<() => void> {
    const id = this.#nextId();
    this.#subscriptions.set(id, on);
    try {
      await this.#start(id, call, undefined);
    } catch (error) {
      this.#subscriptions.delete(id);
      throw error;
    }
    return () => {
      if (this.#subscriptions.delete(id)) this.#send({ kind: "cancel", id });
    };
  }

  /** Handles the host's messages about calls. */
  take(message: Answer): void {
    const { id } = message;
    switch (message.kind) {
      case "result":
        this.#settle(id, ({ resolve }) => resolve(message.result));
        return;
      case "error":
        this.#settle(id, ({ reject }) => reject(new PlatformError(message.error)));
        this.#subscriptions.get(id)?.onResync?.();
        return;
      case "event":
        this.#pending.get(id)?.onEvent?.(message.event);
        this.#subscriptions.get(id)?.onEvent(message.event);
        return;
      case "resync":
        this.#subscriptions.get(id)?.onResync?.();
        return;
      default:
        message satisfies never;
    }
  }

  /** Fails all calls: the host answers none after this. */
  close(reason: string): void {
    this.#closed = new PlatformError({ code: "canceled", message: reason });
    for (const id of [...this.#pending.keys()]) this.#fail(id, this.#closed);
    for (const { start } of this.#waiting.splice(0)) start();
    this.#subscriptions.clear();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #start(id: number, call: Call, onEvent: ((event: unknown) => void) | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        if (this.#closed) {
          reject(this.#closed);
          return;
        }
        const timer = setTimeout(() => this.#late(id, call.method), call.timeoutMs + FRAME_GRACE_MS);
        this.#pending.set(id, { resolve, reject, onEvent, timer, method: call.method });
        this.#post(id, call);
      };
      if (this.#closed || this.#hasRoom(call)) start();
      else this.#waiting.push({ id, call, start, reject });
    });
  }

  #hasRoom({ method, atOnce }: Call): boolean {
    const own = [...this.#pending.values()].filter((pending) => pending.method === method).length;
    return this.#pending.size < MAX_CALLS_UNDER_WAY && own < atOnce;
  }

  #startNext(): void {
    const next = this.#waiting.find(({ call }) => this.#hasRoom(call));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    next.start();
  }

  #post(id: number, { method, params, bytes }: Call): void {
    const request: FromFrame = {
      kind: "request",
      id,
      method,
      params,
      ...(bytes === undefined ? {} : { bytes }),
    };
    try {
      this.#port.postMessage(request);
    } catch {
      const message = `${method} was given something that cannot be sent, such as a function. Pass plain data.`;
      this.#fail(id, new PlatformError({ code: "invalid_arguments", message }));
    }
  }

  #late(id: number, method: string): void {
    const message = `The dashboard did not answer ${method} in time. Try again.`;
    this.#fail(id, new PlatformError({ code: "deadline_exceeded", message, retryable: true }));
    this.#send({ kind: "cancel", id });
  }

  /** Cancels a queued or running call; a finished one leaves nothing to cancel. */
  #cancel(id: number): void {
    const waiting = this.#waiting.find((one) => one.id === id);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting?.reject(canceled());
    if (!this.#pending.has(id)) return;
    this.#fail(id, canceled());
    this.#send({ kind: "cancel", id });
  }

  #fail(id: number, error: PlatformError): void {
    this.#settle(id, ({ reject }) => reject(error));
  }

  #settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    how(pending);
    this.#startNext();
  }

  #send(message: FromFrame): void {
    if (!this.#closed) this.#port.postMessage(message);
  }
}

function canceled(): PlatformError {
  return new PlatformError({ code: "canceled", message: "The app canceled the call." });
}
