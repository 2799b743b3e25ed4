import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** The command as clients write it: as a separate bulk string. */
const ACK = /\r\nxack\r\n/i;

/**
 * A proxy between an event projector and its Redis that can withhold acknowledgements: everything passes
 * until a connection sends one. From then on, nothing of that connection comes through.
 */
export class AckGate {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #onWithheld: (() => void) | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(redisPort: number): Promise<AckGate> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const gate = new AckGate(server);
    server.on("connection", (near) => gate.#join(near, connect(redisPort, "127.0.0.1")));
    return gate;
  }

  /** Resolves when the next acknowledgement has arrived and been withheld. */
  withhold(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWithheld = resolve;
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket, far: Socket): void {
    let isShut = false;
    near.on("data", (bytes) => {
      if (this.#onWithheld && ACK.test(bytes.toString("latin1"))) {
        isShut = true;
        this.#onWithheld();
      }
      if (!isShut) far.write(bytes);
    });
    far.on("data", (bytes) => near.write(bytes));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
