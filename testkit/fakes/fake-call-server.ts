import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import { WebSocketServer } from "ws";
import { FakeCallConnection } from "./fake-call-connection.ts";

/** Behavior of `POST /talk/session`. */
type SessionManner = "demo" | "absent" | "refusing";

export interface FakeCallServerOptions {
  /** The built page; without it, serves only the call socket. */
  readonly distDirectory?: string;
  readonly session?: SessionManner;
  readonly recognition?: "server" | "client";
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** Shorter than a browser test's own timeout, which does not say what is missing. */
const PATIENCE_MS = 90_000;
const SESSION_ID = "ses_test";

/**
 * Serves the talk page, its session and a call socket that speaks the contract but does only what the test
 * says: each socket is passed to the test as a connection.
 */
export class FakeCallServer {
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #options: FakeCallServerOptions;
  readonly #arrived: FakeCallConnection[] = [];
  readonly #waiting: ((connection: FakeCallConnection) => void)[] = [];
  /** Every requested path, including worklet modules. */
  readonly requestedPaths: string[] = [];
  #refusal: { readonly code: number } | undefined;

  private constructor(options: FakeCallServerOptions) {
    this.#options = options;
    this.#http = createServer((request, response) => void this.#serve(request, response));
    this.#http.on("upgrade", (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (accepted) => {
        if (this.#refusal !== undefined) accepted.close(this.#refusal.code);
        else this.#hand(new FakeCallConnection(accepted));
      });
    });
  }

  static async start(options: FakeCallServerOptions = {}): Promise<FakeCallServer> {
    const server = new FakeCallServer(options);
    server.#http.listen(0, "127.0.0.1");
    await once(server.#http, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get websocketUrl(): string {
    return `ws://127.0.0.1:${this.#port}/v1/calls/${SESSION_ID}?ticket=test`;
  }

  /** The next socket, before its `start` is answered. @throws when none comes within half a minute */
  nextSocket(): Promise<FakeCallConnection> {
    const connection = this.#arrived.shift();
    if (connection !== undefined) return Promise.resolve(connection);
    return new Promise((resolve, reject) => {
      const asked = () => `no call came in half a minute; asked for were ${this.requestedPaths.join(", ")}`;
      const timer = setTimeout(() => reject(new Error(asked())), PATIENCE_MS);
      this.#waiting.push((arrived) => {
        clearTimeout(timer);
        resolve(arrived);
      });
    });
  }

  /** The next socket, with its `start` read and answered with `ready`. */
  async nextCall(mode: "agent" | "manual" = "agent"): Promise<FakeCallConnection> {
    const connection = await this.nextSocket();
    await connection.next("start");
    connection.send(this.#ready(mode));
    return connection;
  }

  /** Closes sockets with this code as soon as they open, from now on. */
  refuseWith(code: number): void {
    this.#refusal = { code };
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, "close");
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  #ready(mode: "agent" | "manual"): ServerMessage {
    const recognition = this.#options.recognition ?? "server";
    const audio = { encoding: "pcm_s16le", sampleRate: 16_000 } as const;
    return { type: "ready", sessionId: SESSION_ID, audio, resume: "resume-token", mode, recognition };
  }

  #hand(connection: FakeCallConnection): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#arrived.push(connection);
    else waiting(connection);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    this.requestedPaths.push(pathname);
    if (request.method === "POST" && pathname === "/talk/session") this.#answerSession(response);
    else await this.#answerFile(pathname === "/talk" ? "/talk.html" : pathname, response);
  }

  #answerSession(response: ServerResponse): void {
    const manner = this.#options.session ?? "demo";
    const status = { demo: 200, absent: 404, refusing: 503 }[manner];
    const body =
      manner === "demo"
        ? { sessionId: SESSION_ID, websocketUrl: this.websocketUrl, agentName: "Ada" }
        : { success: false, error: manner === "absent" ? "Not found" : "The speech vendor is not set up." };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  async #answerFile(pathname: string, response: ServerResponse): Promise<void> {
    const path = join(this.#options.distDirectory ?? "", normalize(pathname));
    try {
      const bytes = await readFile(path);
      response
        .writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }
}
