import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { BridgeStreamMessage } from "@parley/platform/wire/messages.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyReply } from "fastify";
import { EventStream } from "../../http/event-stream.ts";
import { type ArrivedCall, streamsAnswer, toBridgeError } from "./bridge.ts";
import { RECHECK_MS, type StreamsDeps } from "./deps.ts";
import { eventMessage } from "./event-message.ts";
import type { Unsubscribe } from "./handlers.ts";
import { OpenStreams } from "./open-streams.ts";

/** More answers than one frame may ask for at once, for each of a member's pages. */
const BOUNDS = { perMember: 100, perOrg: 1_000 };

interface Listener {
  readonly reply: FastifyReply;
  /** Throws when the member may no longer listen. */
  readonly recheckAccess: () => Promise<unknown>;
}

/** The open subscriptions and streamed answers of frames, each the response to one request. */
export class BridgeStreams {
  readonly #deps: StreamsDeps;
  readonly #open = new OpenStreams<BridgeStream>(BOUNDS);

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  /** Streams events as the response until either side ends it. Throws `AppError` too_many_requests. */
  open(id: number, arrived: ArrivedCall, listener: Listener): FastifyReply {
    this.#open.assertRoom(arrived.member);
    const stream = new BridgeStream(id, arrived, {
      ...this.#deps,
      ...listener,
      onEnded: () => this.#open.delete(stream),
    });
    this.#open.add(stream, arrived.member);
    stream.begin();
    return stream.answer(listener.reply);
  }

  /** Ends all streams when the server stops. */
  async stop(): Promise<void> {
    const canceled = new BridgeError("canceled", "The server stops; ask or subscribe again.");
    await Promise.all(this.#open.all().map((stream) => stream.end(canceled)));
  }
}

class BridgeStream {
  readonly #id: number;
  readonly #arrived: ArrivedCall;
  readonly #deps: StreamsDeps & Listener & { readonly onEnded: () => void };
  readonly #events: EventStream;
  #stopRechecks: () => void = () => undefined;
  #unsubscribe: Unsubscribe | undefined;
  /** Aborts the work on an answer when the stream ends first. */
  readonly #stop = new AbortController();
  #isOver = false;
  #isInForce = false;
  /** Events that arrive before the client is told that the subscription is in force. */
  readonly #early: unknown[] = [];

  constructor(
    id: number,
    arrived: ArrivedCall,
    deps: StreamsDeps & Listener & { readonly onEnded: () => void },
  ) {
    this.#id = id;
    this.#arrived = { ...arrived, signal: AbortSignal.any([arrived.signal, this.#stop.signal]) };
    this.#deps = deps;
    this.#events = new EventStream(deps.clock, RECHECK_MS);
  }

  answer(reply: FastifyReply): FastifyReply {
    return this.#events.answer(reply);
  }

  begin(): void {
    const { clock } = this.#deps;
    if (this.#arrived.signal.aborted) return void this.end();
    this.#arrived.signal.addEventListener("abort", () => void this.end());
    this.#stopRechecks = clock.every(RECHECK_MS, () => void this.#recheck());
    void (streamsAnswer(this.#arrived.body) ? this.#call() : this.#subscribe());
  }

  /** Sends the reason, unless the host disconnected. */
  async end(reason?: unknown): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopRechecks();
    this.#deps.onEnded();
    if (reason !== undefined) {
      const error = toBridgeError(reason, this.#arrived, this.#deps.log).toBody();
      this.#tell({ kind: "error", id: this.#id, error });
    }
    this.#events.end();
    this.#stop.abort();
    await this.#unsubscribe?.().catch(() => undefined);
  }

  async #call(): Promise<void> {
    const id = this.#id;
    try {
      const result = await this.#deps.bridge.call(this.#arrived, (event) => {
        if (!this.#isOver) this.#tell({ kind: "event", id, event });
      });
      if (!this.#isOver) this.#tell({ kind: "result", id, result });
      await this.end();
    } catch (error) {
      await this.end(error);
    }
  }

  async #subscribe(): Promise<void> {
    try {
      const unsubscribe = await this.#deps.bridge.subscribe(this.#arrived, {
        event: (event) => this.#heard(event),
        end: (error) => void this.end(error),
      });
      if (this.#isOver) return void unsubscribe().catch(() => undefined);
      this.#unsubscribe = unsubscribe;
      this.#isInForce = true;
      this.#tell({ kind: "result", id: this.#id, result: null });
      for (const event of this.#early.splice(0)) this.#tell({ kind: "event", id: this.#id, event });
    } catch (error) {
      await this.end(error);
    }
  }

  #heard(event: unknown): void {
    if (this.#isInForce) this.#events.sendJson("message", eventMessage(this.#id, event));
    else this.#early.push(event);
  }

  async #recheck(): Promise<void> {
    try {
      await this.#deps.recheckAccess();
      await this.#deps.bridge.recheck(this.#arrived);
    } catch (error) {
      // A database that is away says nothing about the right to listen; the next check will.
      const isRefusal = error instanceof BridgeError || (error instanceof AppError && error.status < 500);
      if (isRefusal) await this.end(error);
    }
  }

  #tell(message: BridgeStreamMessage): void {
    this.#events.send("message", message);
  }
}
