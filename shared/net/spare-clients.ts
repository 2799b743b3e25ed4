import type { IncomingHttpHeaders } from "node:http";
import { Client, Dispatcher, errors } from "undici";
import type { Clock } from "../clock.ts";
import { PassingHandler } from "./passing-handler.ts";

export interface SpareClientsOptions {
  /** Maximum connections; further requests wait. */
  readonly connections: number;
  /** Age from which a connection takes no new request. */
  readonly maxAgeMs: number;
  readonly clock: Pick<Clock, "wallMs">;
  readonly client: Client.Options;
}

interface Request {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/** A client and what it does at the moment. */
interface Seat {
  readonly client: Client;
  /** Wall-clock time at which its connection was made; undefined before. */
  connectedMs: number | undefined;
  isBusy: boolean;
  hasLeft: boolean;
}

/**
 * Connections to one origin over HTTP/1.1, each with one request at a time. Takes the one that was used last, which is known
 * at once: undici's own `Pool` looks through all of them for each request, which with a hundred costs as much as signing one.
 * A connection is free when its answer has ended, and not only in the next turn of the event loop.
 */
export class SpareClients extends Dispatcher {
  readonly #origin: string | URL;
  readonly #options: SpareClientsOptions;
  readonly #seats = new Set<Seat>();
  /** The one used last is the last. */
  readonly #spare: Seat[] = [];
  readonly #waiting: Request[] = [];
  /** Taking no new requests, and what resolves once each is closed. */
  readonly #leaving = new Map<Client, Promise<void>>();
  readonly #release = (seat: Seat): void => this.#onReleased(seat);
  #closing: Promise<void> | undefined;
  #onServed: () => void = () => undefined;

  constructor(origin: string | URL, options: SpareClientsOptions) {
    super();
    this.#origin = origin;
    this.#options = options;
  }

  /** Returns false if the request has to wait for a connection. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#closing !== undefined) {
      fail(handler, new errors.ClientClosedError());
      return false;
    }
    const seat = this.#take();
    if (!seat) {
      this.#waiting.push({ options, handler });
      return false;
    }
    this.#send(seat, { options, handler });
    return true;
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    this.#closing ??= this.#close();
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
    this.#closing ??= Promise.resolve();
    for (const { handler } of this.#waiting.splice(0)) fail(handler, error);
    const clients = [...[...this.#seats].map(({ client }) => client), ...this.#leaving.keys()];
    const destroyed = Promise.all(clients.map((client) => client.destroy(error))).then(() => undefined);
    if (callback === undefined) return destroyed;
    void destroyed.then(callback);
    return undefined;
  }

  async #close(): Promise<void> {
    if (this.#waiting.length > 0)
      await new Promise<void>((resolve) => {
        this.#onServed = resolve;
      });
    for (const seat of this.#seats) this.#leave(seat);
    await Promise.all(this.#leaving.values());
  }

  #take(): Seat | undefined {
    for (let seat = this.#spare.pop(); seat; seat = this.#spare.pop()) {
      if (!this.#isOld(seat)) return seat;
      this.#leave(seat);
    }
    return this.#seats.size < this.#options.connections ? this.#open() : undefined;
  }

  #isOld({ connectedMs }: Seat): boolean {
    const { clock, maxAgeMs } = this.#options;
    return connectedMs !== undefined && clock.wallMs() - connectedMs > maxAgeMs;
  }

  #open(): Seat {
    const client = new Client(this.#origin, this.#options.client);
    const seat: Seat = { client, connectedMs: undefined, isBusy: false, hasLeft: false };
    client.on("connect", () => {
      seat.connectedMs = this.#options.clock.wallMs();
    });
    client.on("disconnect", (_origin, _targets, error) => {
      // One that is busy connects again for its next request.
      if (seat.isBusy) return;
      this.#leave(seat);
      this.#tellIfUnused(error);
    });
    client.on("connectionError", (_origin, _targets, error) => {
      this.#leave(seat);
      this.#tellIfUnused(error);
    });
    this.#seats.add(seat);
    return seat;
  }

  #send(seat: Seat, { options, handler }: Request): void {
    seat.isBusy = true;
    seat.client.dispatch(options, new Occupying(handler, seat, this.#release));
  }

  #onReleased(seat: Seat): void {
    if (!seat.isBusy) return;
    seat.isBusy = false;
    if (seat.hasLeft) return;
    this.#spare.push(seat);
    this.#serveSoon();
  }

  /** Not within a callback of a client, which does not expect a further request in the middle of it. */
  #serveSoon(): void {
    if (this.#waiting.length > 0) queueMicrotask(() => this.#serve());
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#take();
      if (!seat) return;
      const next = this.#waiting.shift();
      if (next) this.#send(seat, next);
    }
    this.#onServed();
  }

  /** Finishes what it has and takes nothing more. */
  #leave(seat: Seat): void {
    if (seat.hasLeft) return;
    seat.hasLeft = true;
    this.#seats.delete(seat);
    const place = this.#spare.indexOf(seat);
    if (place >= 0) this.#spare.splice(place, 1);
    const { client } = seat;
    // One that was destroyed tells of its connection's end later.
    if (client.destroyed) return;
    this.#leaving.set(
      client,
      client.close().then(() => void this.#leaving.delete(client)),
    );
    this.#serveSoon();
  }

  /** Whoever keeps this by its origin may drop it. */
  #tellIfUnused(error: errors.UndiciError): void {
    if (this.#seats.size === 0 && this.#waiting.length === 0)
      this.emit("disconnect", new URL(this.#origin), [this], error);
  }
}

/** There is no controller for what was never sent, as with undici's own. */
function fail(handler: Dispatcher.DispatchHandler, error: Error): void {
  handler.onResponseError?.(null as unknown as Dispatcher.DispatchController, error);
}

/** Tells when the exchange is over. */
class Occupying extends PassingHandler {
  readonly #seat: Seat;
  readonly #release: (seat: Seat) => void;

  constructor(handler: Dispatcher.DispatchHandler, seat: Seat, release: (seat: Seat) => void) {
    super(handler);
    this.#seat = seat;
    this.#release = release;
  }

  override onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#release(this.#seat);
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    // Its client is in the middle of failing.
    queueMicrotask(() => this.#release(this.#seat));
    super.onResponseError(controller, error);
  }
}
