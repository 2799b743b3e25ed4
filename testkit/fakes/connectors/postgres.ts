import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** What a hostile server does after sign-in, on a query. */
export type PostgresFault = "silence" | "flood" | "garbage" | "cut" | "huge";

/** Code of the TLS request. */
const SSL_REQUEST = 80_877_103;

/** A server that admits everyone over Postgres protocol 3.0 without TLS, and then misbehaves. */
export class HostilePostgres {
  fault: PostgresFault = "silence";
  /** Refuses everyone with this reason (SQLSTATE). */
  refuses: string | undefined;
  readonly port: number;
  readonly sockets = new Set<Socket>();
  /** Number of connections so far. */
  connections = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async start(): Promise<HostilePostgres> {
    let hostile: HostilePostgres | undefined;
    const server = createServer((socket) => hostile?.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    hostile = new HostilePostgres(server);
    return hostile;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private serve(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket)).on("error", () => undefined);
    let isIn = false;
    socket.on("data", (data) => {
      if (data.length === 8 && data.readInt32BE(4) === SSL_REQUEST) return void socket.write("N");
      if (isIn) return this.misbehave(socket);
      if (this.refuses !== undefined) return void socket.end(refusal(this.refuses));
      isIn = true;
      // Signed in and ready for a query.
      socket.write(Buffer.concat([message("R", int32(0)), message("Z", Buffer.from("I"))]));
    });
  }

  private misbehave(socket: Socket): void {
    const row = message("D", Buffer.concat([int16(1), int32(1_000), Buffer.alloc(1_000, 97)]));
    if (this.fault === "cut") socket.destroy();
    if (this.fault === "garbage") socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    if (this.fault === "huge") socket.write(Buffer.concat([Buffer.from("D"), int32(1_900_000_000)]));
    if (this.fault === "huge" || this.fault === "flood") flood(socket, row);
  }
}

function flood(socket: Socket, row: Buffer): void {
  const block = Buffer.concat(Array.from({ length: 60 }, () => row));
  const more = () => {
    while (socket.writable && socket.write(block));
  };
  socket.on("drain", more);
  more();
}

function refusal(code: string): Buffer {
  return message("E", Buffer.from(`SFATAL\0C${code}\0Mno entry for secret_user\0\0`));
}

function message(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
