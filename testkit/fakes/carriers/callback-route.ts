import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  Carrier,
  CarrierAnswer,
  CarrierEvent,
  CarrierRequest,
} from "@parley/control-api/channels/carriers/carrier.ts";
import { AppError } from "@parley/shared/errors.ts";

/** A minimal callback route: verifies, records events, and answers as the port does. */
export class CallbackRoute {
  readonly events: CarrierEvent[] = [];
  readonly refusals: AppError[] = [];
  /** Target of the media. */
  mediaUrl = "";
  /** Refuses all callers. */
  isClosed = false;
  url = "";
  /** Answers for a second leg: when it is picked up, and after the whisper has played. */
  onAnswered: ((callSid: string) => Promise<CarrierAnswer>) | undefined;
  onWhispered: (callSid: string) => Promise<CarrierAnswer>;
  readonly #carrier: Carrier;
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
    this.onWhispered = async () => carrier.acknowledge();
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/api/public/carriers/${this.#carrier.name}/con_1/calls/ses_1`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "/", this.url).href;
    try {
      const { contentType, body } = await this.#answer({ method, url, headers, body: Buffer.concat(chunks) });
      response.writeHead(200, { "content-type": contentType }).end(body);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.refusals.push(error);
      response.writeHead(error.status).end();
    }
  }

  async #answer(request: CarrierRequest): Promise<CarrierAnswer> {
    const { events } = this.#carrier.readCallback(request);
    this.events.push(...events);
    for (const event of events) {
      const { callSid } = event;
      if (event.type === "asked") return event.answer;
      if (event.type === "inbound" && this.isClosed) return this.#carrier.refuse(callSid);
      if (event.type === "whispered") return this.onWhispered(callSid);
      if (event.type === "answered" && this.onAnswered) return this.onAnswered(callSid);
      if (event.type === "inbound" || ("awaitsMedia" in event && event.awaitsMedia)) {
        return this.#carrier.connect({ callSid, mediaUrl: this.mediaUrl });
      }
    }
    return this.#carrier.acknowledge();
  }
}
