import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

type Pair = readonly [inner: Socket, outer: Socket];

/**
 * A proxy in front of a server that acts like a network that fails without telling: a firewall that forgets
 * connections (existing ones fall silent, new ones work), or a cable that is cut and mended (none works meanwhile).
 */
export class BlackHole {
  /** The server's URL through this proxy. */
  readonly url: string;
  readonly #server: Server;
  readonly #pairs: Set<Pair>;
  readonly #cable: { isCut: boolean };

  private constructor(parts: { server: Server; url: string; pairs: Set<Pair>; cable: { isCut: boolean } }) {
    this.#server = parts.server;
    this.url = parts.url;
    this.#pairs = parts.pairs;
    this.#cable = parts.cable;
  }

  static async before(serverUrl: string): Promise<BlackHole> {
    const target = new URL(serverUrl);
    const pairs = new Set<Pair>();
    const cable = { isCut: false };
    const server = createServer({ allowHalfOpen: true }, (inner) => {
      const outer = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
      const pair = [inner, outer] as const;
      pairs.add(pair);
      for (const socket of pair) {
        socket.on("error", () => undefined);
        socket.on("close", () => pair.every(({ closed }) => closed) && pairs.delete(pair));
      }
      if (cable.isCut) silence(pair);
      else join(pair);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(serverUrl);
    url.port = String((server.address() as AddressInfo).port);
    return new BlackHole({ server, url: url.href, pairs, cable });
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Silently blocks all current connections. */
  swallow(): void {
    for (const pair of this.#pairs) silence(pair);
  }

  /** Silently blocks all connections, and those that are made from now on. */
  cut(): void {
    this.#cable.isCut = true;
    this.swallow();
  }

  /** Delivers what was sent since the cut over connections that are still open, as TCP does, and all that follows. */
  mend(): void {
    this.#cable.isCut = false;
    for (const pair of this.#pairs) join(pair);
  }

  /** Lets new connections work; those of before stay silent, and what was sent over them is lost. */
  replace(): void {
    this.#cable.isCut = false;
  }

  async close(): Promise<void> {
    for (const socket of [...this.#pairs].flat()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function join([inner, outer]: Pair): void {
  inner.pipe(outer);
  outer.pipe(inner);
}

function silence(pair: Pair): void {
  for (const socket of pair) {
    socket.unpipe();
    socket.pause();
  }
}
