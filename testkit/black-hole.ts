import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * A proxy in front of a server that acts like a firewall that forgets connections: existing ones fall silent,
 * new ones work.
 */
export class BlackHole {
  /** The server's URL through this proxy. */
  readonly url: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(server: Server, url: string, open: Set<Socket>) {
    this.#server = server;
    this.url = url;
    this.#open = open;
  }

  static async before(serverUrl: string): Promise<BlackHole> {
    const target = new URL(serverUrl);
    const open = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (inner) => {
      const outer = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
      for (const socket of [inner, outer]) {
        open.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => open.delete(socket));
      }
      inner.pipe(outer);
      outer.pipe(inner);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(serverUrl);
    url.port = String((server.address() as AddressInfo).port);
    return new BlackHole(server, url.href, open);
  }

  /** Silently blocks all current connections. */
  swallow(): void {
    for (const socket of this.#open) {
      socket.unpipe();
      socket.pause();
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
