import { Dispatcher, errors } from "undici";
import type { Clock } from "../clock.ts";
import { type Exchange, Http1Connection } from "./http1-connection.ts";
import { Http1Sockets, type SocketOptions } from "./http1-socket.ts";
import { requestText } from "./request-text.ts";

export interface SpareConnectionsOptions {
  /** Maximum connections; further requests wait. */
  readonly connections: number;
  /** Age from which a connection takes no new request. */
  readonly maxAgeMs: number;
  /** How long one is kept unused, where the receiver says nothing else. */
  readonly keepAliveMs: number;
  readonly clock: Pick<Clock, "wallMs" | "every">;
  readonly socket: SocketOptions;
}

/** Unused connections are looked through this often. */
const TIDY_MS = 1_000;

/**
 * Connections to one origin over HTTP/1.1, each with one request at a time. Takes the one that was used last, which is known
 * at once. A connection is free when its answer has ended: its next request is written once all that arrived in this turn of the
 * event loop has been read, so that one that the receiver just ended is not taken
 * (docs/decisions/webhooks.md#free-connection-at-once).
 */
export class SpareConnections extends Dispatcher {
  readonly #origin: string | URL;
  readonly #options: SpareConnectionsOptions;
  readonly #sockets: Http1Sockets;
  readonly #connections = new Set<Http1Connection>();
  /** The one used last is the last. */
  readonly #spare: Http1Connection[] = [];
  readonly #waiting: Exchange[] = [];
  /** Have a connection, which is still being made or is yet to be read. */
  readonly #assigned = new Map<Http1Connection, Exchange>();
  #unsent: Http1Connection[] = [];
  #stopTidying: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #isDestroyed = false;
  #onClosed: () => void = () => undefined;

  constructor(origin: string | URL, options: SpareConnectionsOptions) {
    super();
    this.#origin = origin;
    this.#options = options;
    this.#sockets = new Http1Sockets(origin, options.socket);
  }

  /** Returns false if the request has to wait for a connection. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#closing !== undefined) {
      fail(handler, new errors.ClientClosedError());
      return false;
    }
    let exchange: Exchange;
    try {
      exchange = { request: requestText(this.#sockets.host, options), handler };
    } catch (error) {
      fail(handler, error as Error);
      return true;
    }
    const connection = this.#take();
    if (connection) this.#assign(connection, exchange);
    else this.#waiting.push(exchange);
    return connection !== undefined;
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#closeIfDone();
    if (callback === undefined) return this.#closing;
    void this.#closing.then(callback);
    return undefined;
  }

  override destroy(error: Error | null, callback: () => void): void;
  override destroy(callback: () => void): void;
  override destroy(error?: Error | null): Promise<void>;
  override destroy(
    given?: Error | null | (() => void),
    callback: (() => void) | undefined = typeof given === "function" ? given : undefined,
  ): Promise<void> | undefined {
    const error = given instanceof Error ? given : new errors.ClientDestroyedError();
    const closed = this.close();
    this.#isDestroyed = true;
    for (const { handler } of this.#waiting.splice(0)) fail(handler, error);
    for (const connection of [...this.#connections]) connection.destroy(error);
    this.#closeIfDone();
    if (callback === undefined) return closed;
    void closed.then(callback);
    return undefined;
  }

  /** Whether nothing is under way or waits, once it takes nothing new. */
  #closeIfDone(): void {
    if (this.#closing === undefined || this.#waiting.length > 0) return;
    for (const connection of this.#spare.splice(0)) connection.destroy(new errors.ClientClosedError());
    if (this.#connections.size > 0) return;
    this.#stopTidying?.();
    this.#onClosed();
  }

  #take(): Http1Connection | undefined {
    for (let one = this.#spare.pop(); one; one = this.#spare.pop()) {
      if (!one.isGone && !this.#isOver(one)) return one;
      one.destroy(new errors.InformationalError("idle or old"));
    }
    return this.#connections.size < this.#options.connections ? this.#open() : undefined;
  }

  /** Whether one that is free may not be used any more. */
  #isOver({ readyMs, usedMs, keepAliveMs }: Http1Connection): boolean {
    const { clock, maxAgeMs } = this.#options;
    const nowMs = clock.wallMs();
    return nowMs - usedMs > keepAliveMs || (readyMs !== undefined && nowMs - readyMs > maxAgeMs);
  }

  #open(): Http1Connection {
    const { clock, keepAliveMs } = this.#options;
    const connection = new Http1Connection(this.#sockets, keepAliveMs, {
      onReady: (ready) => {
        ready.readyMs = clock.wallMs();
        this.#sendAssigned(ready);
      },
      onFree: (free) => this.#onFree(free),
      onGone: (gone, error) => this.#onGone(gone, error),
    });
    this.#connections.add(connection);
    this.#stopTidying ??= clock.every(TIDY_MS, () => this.#tidy());
    return connection;
  }

  #assign(connection: Http1Connection, exchange: Exchange): void {
    this.#assigned.set(connection, exchange);
    if (!connection.isReady) return;
    if (this.#unsent.length === 0) setImmediate(() => this.#sendAll());
    this.#unsent.push(connection);
  }

  #sendAll(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const connection of unsent) this.#sendAssigned(connection);
  }

  #sendAssigned(connection: Http1Connection): void {
    const exchange = this.#assigned.get(connection);
    if (!exchange) return;
    this.#assigned.delete(connection);
    connection.send(exchange);
  }

  #onFree(connection: Http1Connection): void {
    connection.usedMs = this.#options.clock.wallMs();
    this.#spare.push(connection);
    if (this.#waiting.length > 0) queueMicrotask(() => this.#serve());
    else this.#closeIfDone();
  }

  #onGone(connection: Http1Connection, error: Error): void {
    this.#connections.delete(connection);
    const place = this.#spare.indexOf(connection);
    if (place >= 0) this.#spare.splice(place, 1);
    const exchange = this.#assigned.get(connection);
    this.#assigned.delete(connection);
    // The receiver has not seen a byte of it: one that was free ended, or one could not be made.
    if (exchange && connection.isReady && !this.#isDestroyed) this.#waiting.unshift(exchange);
    else if (exchange) fail(exchange.handler, error);
    if (this.#waiting.length > 0) queueMicrotask(() => this.#serve());
    else this.#closeIfDone();
    this.#tellIfUnused(error);
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#take();
      if (!connection) return;
      const next = this.#waiting.shift();
      if (next) this.#assign(connection, next);
    }
    this.#closeIfDone();
  }

  #tidy(): void {
    for (const connection of [...this.#spare])
      if (this.#isOver(connection)) connection.destroy(new errors.InformationalError("idle or old"));
  }

  /** Whoever keeps this by its origin may drop it. */
  #tellIfUnused(error: Error): void {
    if (this.#connections.size > 0 || this.#waiting.length > 0) return;
    this.#stopTidying?.();
    this.#stopTidying = undefined;
    const told = error instanceof errors.UndiciError ? error : new errors.SocketError(error.message);
    this.emit("disconnect", new URL(this.#origin), [this], told);
  }
}

/** There is no controller for what was never sent, as with undici's own. */
function fail(handler: Dispatcher.DispatchHandler, error: Error): void {
  handler.onResponseError?.(null as unknown as Dispatcher.DispatchController, error);
}
