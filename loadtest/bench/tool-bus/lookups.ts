import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** When the stages of one lookup happened, in ms on this process's clock. */
export interface LookupTimes {
  /** The model's tool call has been sent completely. */
  asked: number;
  vendorAsked: number;
  vendorAnswered: number;
  /** The model is asked to continue with the answer. */
  told: number;
}

/** The vendor's own time. */
const VENDOR_MS = 20;
const ORDER = /order (\d+)/;

interface Message {
  readonly role: string;
  readonly content: string | null;
}

/**
 * The model and the shop of the probed lookups, both in the prober's process: one clock for everything
 * outside Parley. A lookup's number is the order's, in the words, the tool's arguments and the shop's
 * address.
 */
export class Lookups {
  readonly #times = new Map<number, Partial<LookupTimes>>();
  readonly #servers: Server[] = [];
  #next = 0;
  modelUrl = "";
  shopUrl = "";

  static async start(): Promise<Lookups> {
    const lookups = new Lookups();
    lookups.modelUrl = `${await lookups.#listen((body, response) => lookups.#think(body, response))}/v1`;
    lookups.shopUrl = await lookups.#listen((_body, response, path) => lookups.#lookUp(path, response));
    return lookups;
  }

  /** The caller's next text, and its number. */
  ask(): { readonly number: number; readonly text: string } {
    const number = ++this.#next;
    return { number, text: `Where is order ${number}?` };
  }

  /** Does the lookup from this process, directly at the shop. */
  async askDirectly(): Promise<number> {
    const number = ++this.#next;
    this.#note(number, "asked");
    const response = await fetch(`${this.shopUrl}/wp-json/wc/v3/orders/${number}`);
    await response.json();
    this.#note(number, "told");
    return number;
  }

  /** Undefined until every stage was seen. */
  timesOf(number: number): LookupTimes | undefined {
    const times = this.#times.get(number) ?? {};
    return Object.keys(times).length === 4 ? (times as LookupTimes) : undefined;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #think(body: string, response: ServerResponse): void {
    const { messages } = JSON.parse(body) as { messages: readonly Message[] };
    const said = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const number = Number(ORDER.exec(said)?.[1]);
    const isTold = messages.at(-1)?.role === "tool";
    if (isTold) this.#note(number, "told");
    const call = { name: "find", arguments: JSON.stringify({ orderNumber: String(number) }) };
    const delta = isTold
      ? { content: "Shipped." }
      : { tool_calls: [{ index: 0, id: `call_${number}`, type: "function", function: call }] };
    const choice = { index: 0, delta, finish_reason: isTold ? "stop" : "tool_calls" };
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (!isTold) this.#note(number, "asked");
    response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
  }

  #lookUp(path: string, response: ServerResponse): void {
    const number = Number(path.split("?")[0]?.split("/").at(-1));
    this.#note(number, "vendorAsked");
    setTimeout(() => {
      this.#note(number, "vendorAnswered");
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(orderOf(number)));
    }, VENDOR_MS);
  }

  #note(number: number, stage: keyof LookupTimes): void {
    const times = this.#times.get(number) ?? {};
    times[stage] ??= performance.now();
    this.#times.set(number, times);
  }

  async #listen(answer: (body: string, response: ServerResponse, path: string) => void): Promise<string> {
    const server = createServer((request: IncomingMessage, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      request.once("end", () => answer(body, response, request.url ?? ""));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

/** An order as WooCommerce returns it. */
function orderOf(number: number): object {
  return {
    id: number,
    number: String(number),
    status: "completed",
    currency: "USD",
    total: "84.50",
    date_created_gmt: "2026-11-01T10:00:00",
    date_paid_gmt: "2026-11-01T10:00:05",
    billing: { email: "ada@example.com", phone: "+14155550123" },
    line_items: [{ name: "Running shoes", quantity: 1 }],
    meta_data: [],
  };
}
