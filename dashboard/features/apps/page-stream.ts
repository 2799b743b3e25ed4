import type { HostCall } from "@parley/platform/host/executor.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { bridgePaths, pageStreamMessageSchema } from "@parley/platform/wire/messages.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Session } from "../../api/session.ts";
import { readStream } from "./read-stream.ts";
import { pause } from "./retry.ts";
import { type SendingParts, sendCall } from "./send-call.ts";

/** By which one app's subscriptions are sent. */
type SubscriberParts = SendingParts & { readonly appId: string };

interface Subscription {
  readonly id: number;
  readonly call: HostCall;
  readonly parts: SubscriberParts;
  readonly settle: { readonly resolve: (value: null) => void; readonly reject: (error: BridgeError) => void };
  isInForce: boolean;
  failures: number;
}

/**
 * One stream for all subscriptions of a page, whichever frames they are for: over HTTP/1.1 a browser opens six
 * connections, and a stream each would leave none for anything else. A lost stream is opened again.
 */
class PageStream {
  readonly #session: Session;
  readonly #orgId: string;
  readonly #subscriptions = new Map<number, Subscription>();
  #lastId = 0;
  #streamId: string | undefined;
  #stop: AbortController | undefined;

  constructor(session: Session, orgId: string) {
    this.#session = session;
    this.#orgId = orgId;
  }

  /** Resolves when first active, and runs until the app ends it. */
  subscribe(call: HostCall, parts: SubscriberParts): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const settle = { resolve, reject };
      const own: Subscription = { id: this.#lastId, call, parts, settle, isInForce: false, failures: 0 };
      this.#subscriptions.set(own.id, own);
      call.signal.addEventListener("abort", () => this.#leave(own));
      if (this.#stop === undefined) void this.#run();
      else void this.#join(own);
    });
  }

  /** Keeps a stream open while there are subscriptions. */
  async #run(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    for (let failures = 0; !stop.signal.aborted; failures += 1) {
      try {
        const { streams } = bridgePaths(this.#orgId, "");
        const options = { orgId: this.#orgId, signal: stop.signal, body: {} };
        const { body } = await this.#session.open(streams, options);
        for await (const message of readStream(body)) {
          failures = 0;
          this.#take(message);
        }
      } catch (error) {
        // A lost connection and a server that is not there yet are the same: tried again.
        if (error instanceof ApiError && error.status === 429) this.#refuse(error.message);
      }
      if (stop.signal.aborted) return;
      this.#streamId = undefined;
      await pause(failures, stop.signal);
    }
  }

  /** Tells those who wait that there is no room; what was active before goes on waiting for its stream. */
  #refuse(message: string): void {
    for (const one of [...this.#subscriptions.values()].filter(({ isInForce }) => !isInForce)) {
      one.settle.reject(new BridgeError("rate_limited", message));
      this.#leave(one);
    }
  }

  #take(data: unknown): void {
    const message = pageStreamMessageSchema.parse(data);
    if (message.kind === "opened") {
      this.#streamId = message.streamId;
      for (const one of this.#subscriptions.values()) void this.#join(one);
      return;
    }
    const one = this.#subscriptions.get(message.id);
    if (one === undefined) return;
    if (message.kind === "event") one.call.onEvent(message.event);
    if (message.kind === "error") void this.#again(one, BridgeError.from(message.error));
  }

  /** Puts a subscription into the current stream; without one, it joins the next. */
  async #join(one: Subscription): Promise<void> {
    const streamId = this.#streamId;
    if (streamId === undefined) return;
    const request = { kind: "request", id: one.id, method: one.call.method.name, params: one.call.args };
    try {
      await this.#send(one, streamId, request);
    } catch (error) {
      // Of an earlier stream: the next one asks again.
      if (streamId === this.#streamId) await this.#again(one, error as BridgeError);
      return;
    }
    if (!this.#subscriptions.has(one.id)) return void this.#cancel(one, streamId);
    one.failures = 0;
    if (one.isInForce) one.call.onResync();
    one.isInForce = true;
    one.settle.resolve(null);
  }

  /** Joins again after a failure that may pass, and ends the subscription after any other. */
  async #again(one: Subscription, error: BridgeError): Promise<void> {
    if (!error.retryable) {
      if (!this.#subscriptions.has(one.id)) return;
      if (one.isInForce) one.call.onEnd(error);
      one.settle.reject(error);
      return this.#leave(one);
    }
    const streamId = this.#streamId;
    await pause(one.failures, one.call.signal);
    one.failures += 1;
    if (streamId === this.#streamId && this.#subscriptions.has(one.id)) await this.#join(one);
  }

  #leave(one: Subscription): void {
    if (!this.#subscriptions.delete(one.id)) return;
    if (one.isInForce && this.#streamId !== undefined) this.#cancel(one, this.#streamId);
    if (this.#subscriptions.size > 0) return;
    this.#stop?.abort();
    this.#stop = undefined;
    this.#streamId = undefined;
  }

  #cancel(one: Subscription, streamId: string): void {
    this.#send(one, streamId, { kind: "cancel", id: one.id }).catch(() => undefined);
  }

  async #send({ parts }: Subscription, streamId: string, body: object): Promise<void> {
    await sendCall(bridgePaths(this.#orgId, parts.appId).into(streamId), parts, { body });
  }
}

const streams = new WeakMap<Session, Map<string, PageStream>>();

/** The stream of this page in an organization. */
export function pageStreamOf(session: Session, orgId: string): PageStream {
  const own = streams.get(session) ?? new Map<string, PageStream>();
  streams.set(session, own);
  const known = own.get(orgId) ?? new PageStream(session, orgId);
  own.set(orgId, known);
  return known;
}
