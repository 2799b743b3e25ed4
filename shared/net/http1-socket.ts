import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { errors } from "undici";

const KEEP_ALIVE_MS = 60_000;
const READ_BYTES = 65_536;

export interface SocketOptions {
  readonly lookup: LookupFunction;
  readonly rejectUnauthorized: boolean;
  /** Until the connection is ready, TLS included. */
  readonly timeoutMs: number;
}

/** Memory that all connections read into, one after the other: who wants to keep something copies it. */
const memory = Buffer.allocUnsafeSlow(READ_BYTES);

/** Makes connections to one origin, which share the session of TLS. */
export class Http1Sockets {
  readonly #url: URL;
  readonly #options: SocketOptions;
  #session: Buffer | undefined;

  constructor(origin: string | URL, options: SocketOptions) {
    this.#url = new URL(origin);
    this.#options = options;
  }

  /** Host with the port, where it is not the usual one. */
  get host(): string {
    return this.#url.host;
  }

  /**
   * Begins to connect; `onReady` is called once the connection may be used, and `onBytes` with what arrives, in memory that is used
   * again afterwards. What is read never goes through a stream, which costs as much as reading and parsing it.
   */
  open(onReady: () => void, onBytes: (bytes: Buffer, length: number) => boolean): Socket {
    const { timeoutMs } = this.#options;
    const isTls = this.#url.protocol === "https:";
    const socket = isTls ? this.#openTls(onBytes) : connectTcp(this.#base(80, onBytes));
    const timer = setTimeout(
      () => socket.destroy(new errors.ConnectTimeoutError(`Connecting took more than ${timeoutMs} ms.`)),
      timeoutMs,
    );
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once(isTls ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      onReady();
    });
    return socket.once("close", () => clearTimeout(timer));
  }

  #openTls(onBytes: (bytes: Buffer, length: number) => boolean): Socket {
    const base = this.#base(443, onBytes);
    const socket = connectTls({
      ...base,
      rejectUnauthorized: this.#options.rejectUnauthorized,
      ALPNProtocols: ["http/1.1"],
      // An address is no server's name.
      ...(isIP(base.host) === 0 ? { servername: base.host } : {}),
      ...(this.#session ? { session: this.#session } : {}),
    });
    return socket.on("session", (session) => {
      this.#session = session;
    });
  }

  #base(usualPort: number, onBytes: (bytes: Buffer, length: number) => boolean) {
    const { hostname, port } = this.#url;
    return {
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? usualPort : Number(port),
      lookup: this.#options.lookup,
      onread: {
        buffer: memory,
        callback: (length: number, bytes: Uint8Array) => onBytes(bytes as Buffer, length),
      },
    };
  }
}
