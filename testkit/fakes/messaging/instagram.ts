import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const DAY_MS = 86_400_000;
const VERSION = /^\/v\d+\.\d+\//;
const MAX_TEXT_BYTES = 1_000;

type Json = Readonly<Record<string, unknown>>;
interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Buffer;
  readonly type?: string;
}

/** An Instagram professional account, and the app with access to it. */
export interface FakeAccount {
  readonly accountId: string;
  readonly username: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

/** A message sent to a contact. */
export interface SentDirect {
  readonly mid: string;
  readonly to: string;
  readonly text: string;
}

/** A refusal in Instagram's format. */
export function instagramError(status: number, code: number, message: string, subcode?: number): Reply {
  const more = subcode === undefined ? {} : { error_subcode: subcode };
  return { status, json: { error: { message, type: "IGApiException", code, ...more, fbtrace_id: "A1" } } };
}

/**
 * Instagram's documented messaging API: tokens and renewal, the 24-hour window, profiles, signed webhooks,
 * echoes of sent messages, and configurable faults.
 */
export class FakeInstagram {
  readonly url: string;
  readonly sent: SentDirect[] = [];
  /** Sender actions besides messages: `mark_seen`, `typing_on`. */
  readonly actions: string[] = [];
  readonly subscribed = new Set<string>();
  /** Replaces the next sends, one each; "lost" sends without answering. */
  readonly faults: (Reply | "lost")[] = [];
  readonly names = new Map<string, string>();
  nowMs: () => number = () => Date.now();
  onSent: (message: SentDirect) => void = () => undefined;
  readonly #server: Server;
  readonly #accounts = new Map<string, FakeAccount>();
  readonly #media = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
  readonly #lastInbound = new Map<string, number>();
  #count = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(port = 0): Promise<FakeInstagram> {
    let fake: FakeInstagram | undefined;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const reply = fake?.answer(request, Buffer.concat(chunks).toString("utf8"));
      if (reply === undefined || reply === "lost") {
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, { "content-type": reply.type ?? "application/json" });
      response.end(reply.bytes ?? JSON.stringify(reply.json ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    fake = new FakeInstagram(server);
    return fake;
  }

  addAccount(username = "acme"): FakeAccount {
    this.#count += 1;
    const account = {
      accountId: `1784140${String(this.#count).padStart(10, "0")}`,
      username,
      accessToken: `IGAA-${this.#count}`,
      appSecret: randomBytes(16).toString("hex"),
    };
    this.#accounts.set(account.accessToken, account);
    return account;
  }

  /** Adds media at an address that anyone may fetch. */
  addMedia(type: string, bytes: Buffer): string {
    this.#count += 1;
    this.#media.set(String(this.#count), { type, bytes });
    return `${this.url}/media/${this.#count}?signature=1`;
  }

  textsTo(to: string): string[] {
    return this.sent.filter((message) => message.to === to).map(({ text }) => text);
  }

  /** Posts an event, signed, to the app's address. */
  async post(
    callbackUrl: string,
    { appSecret }: Pick<FakeAccount, "appSecret">,
    body: unknown,
  ): Promise<number> {
    const text = JSON.stringify(body);
    const signature = `sha256=${createHmac("sha256", appSecret).update(text).digest("hex")}`;
    const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
    const answer = await fetch(callbackUrl, { method: "POST", headers, body: text });
    await answer.text();
    return answer.status;
  }

  /** A contact's action, in Meta's envelope. */
  event({ accountId }: Pick<FakeAccount, "accountId">, from: string, what: Json): Json {
    const timestamp = this.nowMs();
    const one = { sender: { id: from }, recipient: { id: accountId }, timestamp, ...what };
    return { object: "instagram", entry: [{ id: accountId, time: timestamp, messaging: [one] }] };
  }

  /** A contact's message, which opens the window. */
  inbound(account: FakeAccount, from: string, message: Json): Json {
    this.#lastInbound.set(from, this.nowMs());
    this.#count += 1;
    return this.event(account, from, { message: { mid: `aWdfZ.in${this.#count}`, ...message } });
  }

  /** Meta's webhook about a message from the account itself, whoever wrote it. */
  echo({ accountId }: FakeAccount, to: string, message: Json): Json {
    const timestamp = this.nowMs();
    const full = { is_echo: true, ...message };
    const one = { sender: { id: accountId }, recipient: { id: to }, timestamp, message: full };
    return { object: "instagram", entry: [{ id: accountId, time: timestamp, messaging: [one] }] };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  private answer(request: IncomingMessage, text: string): Reply | "lost" {
    const url = new URL(request.url ?? "/", this.url);
    if (url.pathname.startsWith("/media/")) return this.#bytesOf(url.pathname.split("/")[2] ?? "");
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const account = this.#accounts.get(token);
    if (!account) return instagramError(401, 190, "Invalid OAuth access token - Cannot parse access token");
    const path = url.pathname.replace(VERSION, "");
    const body = text === "" ? {} : (JSON.parse(text) as Json);
    switch (`${request.method} ${path}`) {
      case "GET me":
        return { status: 200, json: { user_id: account.accountId, username: account.username, id: "1" } };
      case "POST me/subscribed_apps":
        this.subscribed.add(account.accountId);
        return { status: 200, json: { success: true } };
      case "POST me/messages":
        return this.#send(body);
      case "GET refresh_access_token":
        return this.#refresh(account);
      default:
        return request.method === "GET"
          ? this.#profile(path)
          : instagramError(400, 100, "Unsupported request");
    }
  }

  #profile(id: string): Reply {
    const name = this.names.get(id);
    if (name === undefined) return instagramError(400, 100, `Object with ID '${id}' does not exist`, 33);
    return { status: 200, json: { name, username: name.toLowerCase(), id } };
  }

  /** Issues a new token and ends the previous one. */
  #refresh(account: FakeAccount): Reply {
    this.#count += 1;
    const accessToken = `IGAA-${this.#count}`;
    this.#accounts.delete(account.accessToken);
    this.#accounts.set(accessToken, { ...account, accessToken });
    return { status: 200, json: { access_token: accessToken, token_type: "bearer", expires_in: 5_184_000 } };
  }

  #bytesOf(id: string): Reply {
    const media = this.#media.get(id);
    return media ? { status: 200, bytes: media.bytes, type: media.type } : { status: 403, json: {} };
  }

  #send(body: Json): Reply | "lost" {
    const to = String((body.recipient as Json | undefined)?.id ?? "");
    if (body.sender_action !== undefined) {
      this.actions.push(`${String(body.sender_action)} ${to}`);
      return { status: 200, json: { recipient_id: to } };
    }
    const fault = this.faults.shift();
    if (fault !== undefined && fault !== "lost") return fault;
    const words = (body.message as Json | undefined)?.text;
    if (typeof words !== "string" || words === "" || Buffer.byteLength(words) > MAX_TEXT_BYTES)
      return instagramError(400, 100, "Length of param message[text] must be less than or equal to 1000");
    const openedAt = this.#lastInbound.get(to) ?? Number.NEGATIVE_INFINITY;
    if (this.nowMs() - openedAt >= DAY_MS)
      return instagramError(403, 10, "This message is sent outside of allowed window.", 2_534_022);
    this.#count += 1;
    const mid = `aWdfZ.out${this.#count}`;
    const message = { mid, to, text: words };
    this.sent.push(message);
    this.onSent(message);
    if (fault === "lost") return "lost";
    return { status: 200, json: { recipient_id: to, message_id: mid } };
  }
}
