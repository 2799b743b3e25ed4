import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { AppError } from "../errors.ts";
import { type Cidr, parseCidrs } from "./address-rules.ts";
import { outcomeOf } from "./egress-outcome.ts";
import type { GuardedDispatchersOptions } from "./guarded-dispatchers.ts";
import { blockedAddress, guardedLookup, isAllowedHost } from "./guarded-lookup.ts";
import type { GuardedSocket, SocketLimits, Sockets } from "./sockets.ts";

/** Time for a goodbye to reach the other side. */
const LINGER_MS = 1_000;
/** Share of the connect time that a name look-up may take, which leaves the rest for connecting. */
const LOOKUP_SHARE = 0.8;

type Options = Pick<
  GuardedDispatchersOptions,
  "names" | "clock" | "onOutcome" | "allowPrivateTargets" | "connectTimeoutMs" | "connectionsPerHost"
> &
  Partial<Pick<GuardedDispatchersOptions, "isHttpsOnly">>;

/** Guarded connections of one purpose, counted by organization and host. */
export class GuardedSockets implements Sockets {
  readonly isTlsRequired: boolean;
  readonly #options: Options;
  readonly #allowed: readonly Cidr[];
  readonly #open = new Map<string, Set<OpenSocket>>();

  constructor(options: Options) {
    this.#options = options;
    this.#allowed = parseCidrs(options.allowPrivateTargets);
    this.isTlsRequired = options.isHttpsOnly === true;
  }

  open(orgId: string, limits: SocketLimits): GuardedSocket {
    return new OpenSocket(limits, this.#options, (socket, port, host) => {
      if (!isAllowedHost(host, this.#allowed)) throw blockedAddress();
      this.#count(`${orgId}\n${host}:${port}`, socket);
      const { names, connectTimeoutMs } = this.#options;
      return guardedLookup(
        (name) => names.lookUp(orgId, name, connectTimeoutMs * LOOKUP_SHARE),
        this.#allowed,
      );
    });
  }

  /** Closes all connections immediately. */
  destroy(): void {
    for (const sockets of this.#open.values()) for (const socket of sockets) socket.destroy();
  }

  #count(key: string, socket: OpenSocket): void {
    const sockets = this.#open.get(key) ?? new Set();
    if (sockets.size >= this.#options.connectionsPerHost)
      throw new AppError("unavailable", "There are too many connections to this address at the moment.");
    this.#open.set(key, sockets.add(socket));
    socket.once("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) this.#open.delete(key);
    });
  }
}

type Admit = (socket: OpenSocket, port: number, host: string) => ReturnType<typeof guardedLookup>;

/** A socket behind a stream, so that bytes read are counted below any encryption. */
class OpenSocket extends Duplex implements GuardedSocket {
  failure: AppError | undefined;
  readonly #inner = new Socket();
  readonly #limits: SocketLimits;
  readonly #options: Options;
  readonly #admit: Admit;
  #readBytes = 0;

  constructor(limits: SocketLimits, options: Options, admit: Admit) {
    super({ allowHalfOpen: false });
    this.#limits = limits;
    this.#options = options;
    this.#admit = admit;
    const giveUp = () => this.destroy(limits.signal.reason as Error);
    limits.signal.addEventListener("abort", giveUp, { once: true });
    this.once("close", () => limits.signal.removeEventListener("abort", giveUp));
    this.#inner.on("data", (chunk) => this.#take(chunk));
    this.#inner.on("end", () => this.push(null));
    this.#inner.on("error", (error) => this.destroy(error));
    this.#inner.on("close", () => this.destroy());
  }

  connect(port: number, host: string): this {
    let isSettled = false;
    const settle = (count: () => void) => {
      if (isSettled) return;
      isSettled = true;
      cancel();
      count();
    };
    const { clock, connectTimeoutMs, onOutcome } = this.#options;
    const late = () =>
      this.destroy(new AppError("deadline_exceeded", `Connecting took more than ${connectTimeoutMs} ms.`));
    const cancel = clock.after(connectTimeoutMs, late);
    this.once("error", (error) => settle(() => onOutcome(outcomeOf(error))));
    this.once("close", () => settle(() => onOutcome("aborted")));
    this.#inner.once("connect", () => {
      settle(() => onOutcome("answered"));
      this.emit("connect");
    });
    try {
      this.#limits.signal.throwIfAborted();
      // A client may mistake a path for a host, and connect to a local socket of this machine.
      if (typeof port !== "number") throw blockedAddress();
      this.#inner.connect({ port, host, lookup: this.#admit(this, port, host) });
    } catch (error) {
      this.destroy(error as Error);
    }
    return this;
  }

  setNoDelay(): this {
    this.#inner.setNoDelay(true);
    return this;
  }

  release(): void {
    if (this.destroyed) return;
    const cancel = this.#options.clock.after(LINGER_MS, () => this.destroy());
    this.once("close", cancel);
  }

  override _read(): void {
    this.#inner.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#inner.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#inner.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error) this.failure ??= failureOf(error);
    this.#inner.destroy();
    done(error);
  }

  #take(chunk: Buffer): void {
    this.#readBytes += chunk.length;
    const { maxReadBytes } = this.#limits;
    if (this.#readBytes > maxReadBytes)
      this.destroy(new AppError("response_too_large", `The answer is larger than ${maxReadBytes} bytes.`));
    else if (!this.push(chunk)) this.#inner.pause();
  }
}

function failureOf(error: Error): AppError {
  if (error instanceof AppError) return error;
  if (error.name === "TimeoutError")
    return new AppError("deadline_exceeded", "There was no full answer in time.", { cause: error });
  return new AppError("unavailable", "The address cannot be reached.", { cause: error });
}
