import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

export interface FakeServerOptions {
  readonly port?: number | undefined;
  /** A rejection is answered with a 500. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Called for each upgrade; `accept` completes it. */
  readonly onUpgrade?: (request: IncomingMessage, upgrade: Upgrade) => void;
}

export interface Upgrade {
  accept(onSocket: (socket: WebSocket) => void): void;
  refuse(status: number, body: object): void;
}

export interface FakeServer {
  readonly url: string;
  /** Path and query of each request and upgrade, in order. */
  readonly paths: readonly string[];
  /** Drops every connection. */
  close(): Promise<void>;
}

/** An HTTP and websocket server on the loopback, for a fake vendor. */
export async function startFakeServer(options: FakeServerOptions): Promise<FakeServer> {
  const sockets = new WebSocketServer({ noServer: true });
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    const answered = options.onRequest?.(request, response) ?? Promise.resolve(sendJson(response, 404, {}));
    answered.catch((error: unknown) => sendJson(response, 500, { error: String(error) }));
  });
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on("error", () => undefined);
    paths.push(request.url ?? "");
    options.onUpgrade?.(request, {
      accept: (onSocket) => sockets.handleUpgrade(request, stream, head, onSocket),
      refuse: (status, body) => {
        const json = JSON.stringify(body);
        const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "Content-Type: application/json"];
        stream.end([...lines, `Content-Length: ${json.length}`, "Connection: close", "", json].join("\r\n"));
      },
    });
  });
  const connections = new Set<Duplex>();
  server.on("connection", (stream) => {
    connections.add(stream);
    stream.once("close", () => connections.delete(stream));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const stream of connections) stream.destroy();
      await closed;
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
