import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface VendorCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** JSON, or the fields of a form. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a fake does instead of its work: a reply, or no answer. */
export type Fault = Reply | "silence";

export interface FakeVendorOptions {
  /** The reply to one request; undefined becomes `notFound`. */
  readonly handle: (call: VendorCall) => Reply | undefined;
  /** The vendor's own 404. */
  readonly notFound: Reply;
  /** The refusal of unknown credentials; undefined means they are valid. */
  readonly refusal: (call: VendorCall) => Reply | undefined;
  /** Requests exempt from faults: exchanging credentials for a token. */
  readonly isSpared?: (call: VendorCall) => boolean;
}

/** A vendor's documented REST API on a free port, with configurable faults. */
export class FakeVendor {
  readonly url: string;
  readonly calls: VendorCall[] = [];
  fault: Fault | undefined;
  /** Delays every answer until this resolves. */
  held: Promise<void> | undefined;
  /** Delays the answer to a call until this resolves. */
  heldFor: ((call: VendorCall) => Promise<void> | undefined) | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(options: FakeVendorOptions): Promise<FakeVendor> {
    let fake: FakeVendor | undefined;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const address = new URL(request.url ?? "/", "http://vendor");
      const call: VendorCall = {
        method: request.method ?? "GET",
        path: address.pathname,
        query: Object.fromEntries(address.searchParams),
        headers: request.headers,
        body: bodyOf(Buffer.concat(chunks).toString("utf8"), request.headers["content-type"]),
      };
      const reply = fake?.answer(call, options);
      await fake?.held;
      await fake?.heldFor?.(call);
      if (reply === "silence" || reply === undefined) return;
      const { status, json, text, headers } = reply;
      const type = text === undefined ? "application/json" : "text/html; charset=utf-8";
      response.writeHead(status, { ...(status === 204 ? {} : { "content-type": type }), ...headers });
      response.end(status === 204 ? undefined : (text ?? JSON.stringify(json ?? {})));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    fake = new FakeVendor(server);
    return fake;
  }

  /** How often a path was requested. */
  asked(method: string, path: RegExp): number {
    return this.calls.filter((call) => call.method === method && path.test(call.path)).length;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  private answer(call: VendorCall, options: FakeVendorOptions): Fault {
    this.calls.push(call);
    const isSpared = options.isSpared?.(call) ?? false;
    if (this.fault !== undefined && !isSpared) return this.fault;
    return options.refusal(call) ?? options.handle(call) ?? options.notFound;
  }
}

function bodyOf(text: string, type = ""): Readonly<Record<string, unknown>> {
  if (text === "") return {};
  if (type.includes("json")) return JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(text));
}

/** A 200 with this body. */
export function ok(json: unknown): Reply {
  return { status: 200, json };
}
