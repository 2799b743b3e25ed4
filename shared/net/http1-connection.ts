import type { Socket } from "node:net";
import { type Dispatcher, errors } from "undici";
import { type AnswerHead, AnswerParser, type AnswerSink } from "./answer-parser.ts";
import type { Http1Sockets } from "./http1-socket.ts";
import type { RequestText } from "./request-text.ts";

/** A receiver may end a connection before it has this long: what is sent then would fail. */
const KEEP_ALIVE_MARGIN_MS = 2_000;
const MAX_KEEP_ALIVE_MS = 600_000;
const FIRST_FINAL_STATUS = 200;

/** A request and who is told what happens to it. */
export interface Exchange {
  readonly request: RequestText;
  readonly handler: Dispatcher.DispatchHandler;
}

export interface ConnectionEvents {
  /** Ready for the first request. */
  onReady(connection: Http1Connection): void;
  /** An answer ended, and another request may be sent; called before its handler is told. */
  onFree(connection: Http1Connection): void;
  /** It takes no requests any more, and the handler of what was under way has been told; called once. */
  onGone(connection: Http1Connection, error: Error): void;
}

/** A connection of HTTP/1.1 with one request at a time. */
export class Http1Connection implements AnswerSink {
  readonly #events: ConnectionEvents;
  readonly #socket: Socket;
  readonly #parser = new AnswerParser(this);
  readonly #usualKeepAliveMs: number;
  #underWay: UnderWay | undefined;
  #isKeptAlive = true;
  #isGone = false;
  #failure: Error | undefined;
  isReady = false;
  /** Of its last use or of its beginning; whoever holds it sets it. */
  usedMs = 0;
  /** When it was ready; undefined before. */
  readyMs: number | undefined;
  /** How long it may be kept unused. */
  keepAliveMs: number;

  constructor(sockets: Http1Sockets, keepAliveMs: number, events: ConnectionEvents) {
    this.#events = events;
    this.#usualKeepAliveMs = keepAliveMs;
    this.keepAliveMs = keepAliveMs;
    this.#socket = sockets.open(
      () => {
        this.isReady = true;
        events.onReady(this);
      },
      (bytes, length) => this.#read(bytes, length),
    );
    this.#socket.on("error", (error) => {
      this.#failure ??= error;
    });
    this.#socket.on("end", () => this.#finish());
    this.#socket.on("close", () => this.#goAway());
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Sends a request; the answer to the last one has ended. */
  send({ request, handler }: Exchange): void {
    const underWay = new UnderWay(handler, (reason) => this.#giveUp(underWay, reason), this.#socket);
    this.#underWay = underWay;
    try {
      handler.onRequestStart?.(underWay, null);
      if (underWay.aborted) return;
      this.#parser.begin({ isHeadRequest: request.isHead });
      this.#write(request);
      handler.onRequestSent?.();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** Ends it at once. */
  destroy(error: Error): void {
    this.#failure ??= error;
    this.#parser.stop();
    this.#socket.destroy();
    this.#goAway();
  }

  #write({ text, bytes }: RequestText): void {
    if (bytes === undefined) {
      this.#socket.write(text);
      return;
    }
    this.#socket.cork();
    this.#socket.write(text);
    this.#socket.write(bytes);
    this.#socket.uncork();
  }

  #read(bytes: Buffer, length: number): boolean {
    try {
      const used = this.#parser.read(bytes, length);
      // More than was asked for: the next request would get it as its answer.
      if (used < length && !this.#isGone) throw new errors.SocketError("bad response");
    } catch (error) {
      this.destroy(error as Error);
    }
    return !this.#underWay?.paused;
  }

  onHead(head: AnswerHead): void {
    const { controller, handler } = this.#current();
    controller.rawHeaders = head.headers;
    if (head.status >= FIRST_FINAL_STATUS) this.#keep(head);
    handler.onResponseStarted?.();
    handler.onResponseStart?.(controller, head.status, head.headers, head.statusText);
  }

  onBody(part: Buffer): void {
    const { controller, handler } = this.#current();
    handler.onResponseData?.(controller, Buffer.from(part));
  }

  onEnd(trailers: Parameters<AnswerSink["onEnd"]>[0]): void {
    const { controller, handler } = this.#current();
    this.#underWay = undefined;
    if (this.#isKeptAlive) this.#events.onFree(this);
    else this.destroy(new errors.InformationalError("reset"));
    handler.onResponseEnd?.(controller, trailers);
  }

  #current(): { readonly controller: UnderWay; readonly handler: Dispatcher.DispatchHandler } {
    if (!this.#underWay) throw new errors.SocketError("bad response");
    return { controller: this.#underWay, handler: this.#underWay.handler };
  }

  #keep({ isKeptAlive, headers }: AnswerHead): void {
    const told = /timeout=(\d{1,6})/.exec(String(headers["keep-alive"] ?? ""))?.[1];
    this.keepAliveMs =
      told === undefined
        ? this.#usualKeepAliveMs
        : Math.min(Number(told) * 1_000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
    this.#isKeptAlive = isKeptAlive && this.keepAliveMs > 0;
  }

  /** The other side sends nothing more. */
  #finish(): void {
    try {
      if (!this.#parser.finish()) this.destroy(new errors.SocketError("other side closed"));
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #giveUp(underWay: UnderWay, reason: Error): void {
    if (this.#underWay === underWay) this.destroy(reason);
  }

  #goAway(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const error = this.#failure ?? new errors.SocketError("closed");
    const underWay = this.#underWay;
    this.#underWay = undefined;
    underWay?.handler.onResponseError?.(underWay, error);
    this.#events.onGone(this, error);
  }
}

/** What a handler may do to its request. */
class UnderWay implements Dispatcher.DispatchController {
  readonly handler: Dispatcher.DispatchHandler;
  readonly #onAbort: (reason: Error) => void;
  readonly #socket: Socket;
  rawHeaders: NonNullable<Dispatcher.DispatchController["rawHeaders"]> | null = null;
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(handler: Dispatcher.DispatchHandler, onAbort: (reason: Error) => void, socket: Socket) {
    this.handler = handler;
    this.#onAbort = onAbort;
    this.#socket = socket;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#onAbort(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.#socket.resume();
  }
}
