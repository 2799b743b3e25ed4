import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const DAY_MS = 86_400_000;
const VERSION = /^\/v\d+\.\d+\//;

/** A WhatsApp number, and the app with access to it. */
export interface FakeNumber {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly display: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

/** A message sent to a contact. */
export interface SentMessage {
  readonly wamid: string;
  readonly phoneNumberId: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;
interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Buffer;
}

export interface FakeMedia {
  readonly id: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A refusal in the Graph API's format. */
export function graphError(status: number, code: number, message: string, details?: string): Reply {
  const data = details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } };
  return {
    status,
    json: {
      error: { message: `(#${code}) ${message}`, type: "OAuthException", code, ...data, fbtrace_id: "A1" },
    },
  };
}

/**
 * WhatsApp's documented Cloud API on a free port: tokens, the 24-hour window, the per-person message limit,
 * two-step media, signed webhooks, and configurable faults.
 */
export class FakeGraphApi {
  readonly url: string;
  readonly sent: SentMessage[] = [];
  /** Ids of messages marked as read with a typing indicator. */
  readonly typingAt: string[] = [];
  readonly subscribed = new Set<string>();
  /** Replaces the next sends, one each; "lost" sends without answering. */
  readonly faults: (Reply | "lost")[] = [];
  /** Answers to the next uploads, before they are kept. */
  readonly uploadFaults: Reply[] = [];
  /** Answers to the next looks for media. */
  readonly downloadFaults: Reply[] = [];
  /** Limit of messages to one person within six seconds; more are refused. */
  pairLimit = Number.POSITIVE_INFINITY;
  /** Approved templates, by name. */
  readonly templates = new Map<string, Json>();
  nowMs: () => number = () => Date.now();
  onSent: (message: SentMessage) => void = () => undefined;
  readonly #server: Server;
  readonly #numbers = new Map<string, FakeNumber>();
  readonly #media = new Map<string, FakeMedia>();
  readonly #lastInbound = new Map<string, number>();
  readonly #sentAt = new Map<string, number[]>();
  #count = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(port = 0): Promise<FakeGraphApi> {
    let fake: FakeGraphApi | undefined;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const reply = fake?.answer(request, Buffer.concat(chunks));
      if (reply === undefined || reply === "lost") {
        request.socket.destroy();
        return;
      }
      const type = reply.bytes ? "application/octet-stream" : "application/json";
      response.writeHead(reply.status, { "content-type": type });
      response.end(reply.bytes ?? JSON.stringify(reply.json ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    fake = new FakeGraphApi(server);
    return fake;
  }

  /** Adds a registered number with its own token. */
  addNumber(display = "+1 555-078-3881"): FakeNumber {
    this.#count += 1;
    const number = {
      phoneNumberId: `1065407${String(this.#count).padStart(8, "0")}`,
      businessAccountId: `1022901${String(this.#count).padStart(8, "0")}`,
      display,
      accessToken: `EAAG-${this.#count}`,
      appSecret: randomBytes(16).toString("hex"),
    };
    this.#numbers.set(number.phoneNumberId, number);
    return number;
  }

  /** Adds media that a message may refer to. */
  addMedia(mimeType: string, bytes: Buffer): FakeMedia {
    this.#count += 1;
    const media = { id: `media-${this.#count}`, mimeType, bytes };
    this.#media.set(media.id, media);
    return media;
  }

  /** Texts sent to a contact, in order. */
  textsTo(to: string): string[] {
    return this.sent
      .filter((message) => message.to === to)
      .map(({ body }) => String((body.text as Json | undefined)?.body ?? ""));
  }

  /** Posts an event, signed, to the app's address. */
  async post(
    callbackUrl: string,
    { appSecret }: Pick<FakeNumber, "appSecret">,
    body: unknown,
  ): Promise<number> {
    const text = JSON.stringify(body);
    const signature = `sha256=${createHmac("sha256", appSecret).update(text).digest("hex")}`;
    const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
    const answer = await fetch(callbackUrl, { method: "POST", headers, body: text });
    await answer.text();
    return answer.status;
  }

  /** A change of the messages field, in Meta's envelope. */
  change(number: FakeNumber, value: Json): Json {
    const metadata = {
      display_phone_number: number.display.replaceAll(/\D/g, ""),
      phone_number_id: number.phoneNumberId,
    };
    const full = { messaging_product: "whatsapp", metadata, ...value };
    return this.event(number, "messages", full);
  }

  /** A change of any field. */
  event({ businessAccountId }: Pick<FakeNumber, "businessAccountId">, field: string, value: unknown): Json {
    const entry = [{ id: businessAccountId, changes: [{ field, value }] }];
    return { object: "whatsapp_business_account", entry };
  }

  /** A contact's message, without the number it goes to. Opens the window. */
  inbound(number: FakeNumber, from: string, message: Json, name = "Ann"): Json {
    this.#lastInbound.set(`${number.phoneNumberId}:${from}`, this.nowMs());
    this.#count += 1;
    const timestamp = String(Math.floor(this.nowMs() / 1_000));
    const full = { from, id: `wamid.in${this.#count}`, timestamp, ...message };
    const contacts = [{ profile: { name }, wa_id: from, user_id: `US.${from}` }];
    return this.change(number, { contacts, messages: [full] });
  }

  /** A message's delivery status. */
  status(number: FakeNumber, { wamid, to, body }: SentMessage, status: string, more: Json = {}): Json {
    const timestamp = String(Math.floor(this.nowMs() / 1_000));
    const data = body.biz_opaque_callback_data;
    const one = { id: wamid, status, timestamp, recipient_id: to, biz_opaque_callback_data: data, ...more };
    return this.change(number, { statuses: [one] });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  private answer(request: IncomingMessage, bytes: Buffer): Reply | "lost" {
    const url = new URL(request.url ?? "/", this.url);
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const isKnown = [...this.#numbers.values()].some(({ accessToken }) => accessToken === token);
    if (!isKnown) return graphError(401, 190, "Invalid OAuth access token - Cannot parse access token");
    if (url.pathname.startsWith("/media/")) return this.#bytesOf(url.pathname.split("/")[2] ?? "");
    const [first = "", second = ""] = url.pathname.replace(VERSION, "").split("/");
    if (request.method === "POST" && second === "media")
      return this.#keep(bytes, request.headers["content-type"] ?? "");
    const text = bytes.toString("utf8");
    const body = text === "" ? {} : (JSON.parse(text) as Json);
    switch (`${request.method} ${second}`) {
      case "GET ":
        return this.#describe(first);
      case "POST subscribed_apps":
        this.subscribed.add(first);
        return { status: 200, json: { success: true } };
      case "GET message_templates":
        return { status: 200, json: { data: [...this.templates.values()], paging: {} } };
      case "POST messages":
        return this.#send(first, body);
      default:
        return graphError(400, 100, "Unsupported request");
    }
  }

  #describe(id: string): Reply {
    const number = this.#numbers.get(id);
    if (number) {
      const facts = { display_phone_number: number.display, verified_name: "Acme", quality_rating: "GREEN" };
      return { status: 200, json: { ...facts, id } };
    }
    const fault = this.downloadFaults.shift();
    if (fault) return fault;
    const media = this.#media.get(id);
    if (!media) return graphError(400, 33, `Object with ID '${id}' does not exist`);
    const size = { file_size: media.bytes.length, sha256: "0" };
    return { status: 200, json: { url: `${this.url}/media/${id}`, mime_type: media.mimeType, id, ...size } };
  }

  /** Keeps an uploaded file. */
  #keep(bytes: Buffer, contentType: string): Reply {
    const fault = this.uploadFaults.shift();
    if (fault) return fault;
    const boundary = `--${contentType.split("boundary=")[1] ?? ""}`;
    const from = bytes.indexOf("filename=");
    const head = bytes.indexOf("\r\n\r\n", from);
    const end = bytes.indexOf(`\r\n${boundary}`, head);
    if (from === -1 || head === -1 || end === -1) return graphError(400, 100, "Param file is required");
    const mimeType = /content-type: ([^\r\n]+)/i.exec(bytes.toString("latin1", from, head))?.[1] ?? "";
    const { id } = this.addMedia(mimeType, bytes.subarray(head + 4, end));
    return { status: 200, json: { id } };
  }

  /** An uploaded file, as a contact gets it. */
  mediaOf(id: string): FakeMedia | undefined {
    return this.#media.get(id);
  }

  #bytesOf(id: string): Reply {
    const media = this.#media.get(id);
    return media ? { status: 200, bytes: media.bytes } : { status: 404, json: {} };
  }

  #send(phoneNumberId: string, body: Json): Reply | "lost" {
    const number = this.#numbers.get(phoneNumberId);
    if (!number) return graphError(400, 33, `Object with ID '${phoneNumberId}' does not exist`);
    if (body.messaging_product !== "whatsapp") return graphError(400, 100, "Invalid parameter");
    if (body.status === "read") {
      if (body.typing_indicator !== undefined) this.typingAt.push(String(body.message_id));
      return { status: 200, json: { success: true } };
    }
    const fault = this.faults.shift();
    if (fault !== undefined && fault !== "lost") return fault;
    const to = String(body.to ?? body.recipient ?? "");
    const refusal = this.#refusalOf(phoneNumberId, to, body);
    if (refusal) return refusal;
    this.#count += 1;
    const wamid = `wamid.out${this.#count}`;
    const message = { wamid, phoneNumberId, to, body };
    this.sent.push(message);
    this.onSent(message);
    if (fault === "lost") return "lost";
    const contacts = [{ input: to, wa_id: to }];
    return { status: 200, json: { messaging_product: "whatsapp", contacts, messages: [{ id: wamid }] } };
  }

  #refusalOf(phoneNumberId: string, to: string, body: Json): Reply | undefined {
    const at = this.nowMs();
    const openedAt = this.#lastInbound.get(`${phoneNumberId}:${to}`) ?? Number.NEGATIVE_INFINITY;
    if (body.type !== "template" && at - openedAt >= DAY_MS)
      return graphError(400, 131047, "Re-engagement message", "More than 24 hours have passed");
    if (body.type === "template") {
      const { name } = body.template as { name?: string };
      if (!this.templates.has(name ?? ""))
        return graphError(404, 132001, "Template name does not exist in the translation");
    }
    const words = (body.text as Json | undefined)?.body;
    if (body.type === "text" && (typeof words !== "string" || words === "" || words.length > 4_096))
      return graphError(400, 100, "Invalid parameter", "Param text['body'] must be 1 to 4096 characters");
    const recent = (this.#sentAt.get(to) ?? []).filter((sentAt) => at - sentAt < 6_000);
    if (recent.length >= this.pairLimit)
      return graphError(400, 131056, "(Business Account, Consumer Account) pair");
    this.#sentAt.set(to, [...recent, at]);
    return undefined;
  }
}
