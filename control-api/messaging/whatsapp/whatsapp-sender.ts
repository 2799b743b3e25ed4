import { z } from "zod";
import { GraphApi, type GraphReach } from "./graph-api.ts";

/** What WhatsApp knows of a sender. */
export interface SenderFacts {
  /** With + and its country. */
  readonly phone: string | null;
  readonly verifiedName: string | null;
  /** GREEN, YELLOW, RED or UNKNOWN. */
  readonly quality: string | null;
}

/** Whom a message goes to: by the number where there is one. */
export interface Recipient {
  readonly phone: string | null;
  readonly userId: string | null;
}

const maybe = z.string().optional().catch(undefined);
const number = z.object({ display_phone_number: maybe, verified_name: maybe, quality_rating: maybe });
const sent = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) });

const templates = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      language: z.string(),
      status: z.string(),
      category: z.string(),
      components: z.array(z.record(z.string(), z.unknown())).default([]),
    }),
  ),
});
type Template = z.infer<typeof templates>["data"][number];

export interface SenderCredentials {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly accessToken: string;
}

/** One phone number of WhatsApp. What it throws is what `GraphApi` does. */
export class WhatsAppSender {
  readonly #api: GraphApi;
  readonly #credentials: SenderCredentials;

  constructor(orgId: string, credentials: SenderCredentials, reach: GraphReach) {
    this.#api = new GraphApi({ orgId, token: credentials.accessToken }, reach);
    this.#credentials = credentials;
  }

  async describe(): Promise<SenderFacts> {
    const fields = "display_phone_number,verified_name,quality_rating";
    const query = { fields };
    const answer = await this.#api.ask({ method: "GET", path: this.#credentials.phoneNumberId, query });
    const { display_phone_number: shown, verified_name, quality_rating } = number.parse(answer);
    const digits = shown?.replaceAll(/\D/g, "") ?? "";
    return {
      phone: digits === "" ? null : `+${digits}`,
      verifiedName: verified_name ?? null,
      quality: quality_rating ?? null,
    };
  }

  /** The app gets the business account's events from now on; it may have got them before. */
  async subscribe(): Promise<void> {
    const path = `${this.#credentials.businessAccountId}/subscribed_apps`;
    await this.#api.ask({ method: "POST", path });
  }

  /** Gives WhatsApp's id of it. `message` is what is specific to its type; `messageId` comes back with its statuses. */
  async send(
    message: object,
    {
      to,
      messageId,
      signal,
    }: { readonly to: Recipient; readonly messageId: string; readonly signal: AbortSignal },
  ): Promise<string> {
    const whom = to.phone === null ? { recipient: to.userId } : { to: to.phone.replace("+", "") };
    const answer = await this.#post(
      { recipient_type: "individual", ...whom, biz_opaque_callback_data: messageId, ...message },
      signal,
    );
    const [first] = sent.parse(answer).messages;
    return first?.id ?? "";
  }

  /** The bytes of media that a contact sent. */
  async download(mediaId: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const answer = await this.#api.ask({ method: "GET", path: mediaId, signal });
    const { url } = z.object({ url: z.string() }).parse(answer);
    return this.#api.download(url, maxBytes, signal);
  }

  /** Templates of the business account, the first hundred. */
  async templates(): Promise<Template[]> {
    const path = `${this.#credentials.businessAccountId}/message_templates`;
    const query = { fields: "name,language,status,category,components", limit: "100" };
    return templates.parse(await this.#api.ask({ method: "GET", path, query })).data;
  }

  /** The contact sees that the message was read, and that somebody writes, for up to 25 s. */
  async showTyping(wamid: string, signal: AbortSignal): Promise<void> {
    await this.#post({ status: "read", message_id: wamid, typing_indicator: { type: "text" } }, signal);
  }

  #post(body: object, signal: AbortSignal): Promise<unknown> {
    const path = `${this.#credentials.phoneNumberId}/messages`;
    return this.#api.ask({ method: "POST", path, body: { messaging_product: "whatsapp", ...body }, signal });
  }
}
