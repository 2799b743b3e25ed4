import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The protocol method of a POST. */
  readonly rpc: string | undefined;
}

export interface McpFakeOptions {
  /** Creates a server with its tools for each request. */
  readonly tools: () => McpServer;
  /** Answers instead of the server, for example with 401; undefined lets the request pass. */
  readonly guard?: (request: Request, url: string) => Response | undefined | Promise<Response | undefined>;
  /** Also supports clients of the 2025 protocol. */
  readonly legacy?: boolean;
}

/** A remote tool server of the 2026 protocol, from the protocol's own library; at `/mcp`. */
export class McpFake {
  readonly seen: SeenRequest[] = [];
  readonly origin: string;
  readonly url: string;
  readonly #server: Server;
  readonly #close: () => Promise<void>;

  private constructor(server: Server, close: () => Promise<void>) {
    this.#server = server;
    this.#close = close;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = `${this.origin}/mcp`;
  }

  static async start({ tools, guard, legacy = false }: McpFakeOptions): Promise<McpFake> {
    const handler = createMcpHandler(tools, { legacy: legacy ? "stateless" : "reject" });
    let fake: McpFake | undefined;
    const server = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString("utf8");
      const gone = new AbortController();
      outgoing.on("close", () => gone.abort());
      fake?.seen.push({
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        rpc: body.startsWith("{") ? (JSON.parse(body) as { method?: string }).method : undefined,
      });
      const request = new Request(`${fake?.origin}${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: incoming.headers as Record<string, string>,
        signal: gone.signal,
        ...(body === "" ? {} : { body }),
      });
      const answer = (await guard?.(request, fake?.url ?? "")) ?? (await handler.fetch(request));
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (!answer.body) return void outgoing.end();
      const stream = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
      stream.on("error", () => outgoing.destroy());
      stream.pipe(outgoing);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    fake = new McpFake(server, () => handler.close());
    return fake;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#close();
  }
}

/** The protocol's reference server in a separate process: it supports only the 2025 protocol. */
export class Everything {
  readonly url: string;
  readonly #transport: EverythingTransport;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(transport: EverythingTransport, port: number) {
    this.#transport = transport;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`;
  }

  static async start(transport: EverythingTransport = "streamableHttp"): Promise<Everything> {
    const everything = new Everything(transport, await freePort());
    await everything.#start();
    return everything;
  }

  close(): void {
    this.#child?.kill("SIGKILL");
  }

  async #start(): Promise<void> {
    const main = createRequire(import.meta.url).resolve(
      "@modelcontextprotocol/server-everything/dist/index.js",
    );
    const child = spawn(process.execPath, [main, this.#transport], {
      env: { ...(process.env.PATH ? { PATH: process.env.PATH } : {}), PORT: String(this.#port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (/port \d+/.test(said)) resolve();
    });
    child.on("exit", (code) => reject(new Error(`server-everything ended with ${code}: ${said}`)));
    await promise;
  }
}
type EverythingTransport = "streamableHttp" | "sse";

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}
