import { z } from "zod";
import type {
  ChannelSender,
  Recipient,
  SenderFacts,
  SentMedia,
  Template,
} from "../channels/channel-sender.ts";
import { GraphApi, type GraphProduct, type GraphReach, type PulledMedia } from "../graph/graph-api.ts";
import { whatsAppMeaning } from "./graph-errors.ts";

const maybe = z.string().optional().catch(undefined);
const number = z.object({ display_phone_number: maybe, verified_name: maybe, quality_rating: maybe });
const uploaded = z.object({ id: z.string() });
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

export interface SenderCredentials {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly accessToken: string;
}

const WHATSAPP: GraphProduct = {
  id: "whatsapp",
  name: "WhatsApp",
  url: "https://graph.facebook.com",
  isMediaUrl: ({ origin }) => origin === "https://lookaside.fbsbx.com",
  sendsToken: true,
  meaningOf: whatsAppMeaning,
};
const MIB = 1_048_576;
/** WhatsApp's size limit by type. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  image: 5 * MIB,
  sticker: MIB,
  audio: 16 * MIB,
  video: 16 * MIB,
  document: 100 * MIB,
};

/** One WhatsApp phone number. Methods throw as `GraphApi` does. */
export class WhatsAppSender implements ChannelSender {
  readonly #api: GraphApi;
  readonly #credentials: SenderCredentials;

  constructor(orgId: string, credentials: SenderCredentials, reach: GraphReach) {
    this.#api = new GraphApi({ orgId, token: credentials.accessToken, product: WHATSAPP }, reach);
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

  /** Subscribes the app to the business account's events; idempotent. */
  async subscribe(): Promise<void> {
    const path = `${this.#credentials.businessAccountId}/subscribed_apps`;
    await this.#api.ask({ method: "POST", path });
  }

  /** Returns WhatsApp's message id. `message` is the type-specific part; `messageId` comes back with its statuses. */
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

  async upload({
    bytes,
    mimeType,
    signal,
  }: {
    readonly bytes: Uint8Array;
    readonly mimeType: string;
    readonly signal: AbortSignal;
  }): Promise<string> {
    const form = new FormData();
    form.set("messaging_product", "whatsapp");
    form.set("type", mimeType);
    form.set("file", new Blob([Uint8Array.from(bytes)], { type: mimeType }), "voice.ogg");
    const path = `${this.#credentials.phoneNumberId}/media`;
    return uploaded.parse(await this.#api.ask({ method: "POST", path, form, signal })).id;
  }

  async download({ id, type }: SentMedia, signal: AbortSignal): Promise<PulledMedia> {
    const answer = await this.#api.ask({ method: "GET", path: id, signal });
    const { url } = z.object({ url: z.string() }).parse(answer);
    return this.#api.download(url, MAX_BYTES[type] ?? MIB, signal);
  }

  /** The first hundred templates of the business account. */
  async templates(): Promise<Template[]> {
    const path = `${this.#credentials.businessAccountId}/message_templates`;
    const query = { fields: "name,language,status,category,components", limit: "100" };
    return templates.parse(await this.#api.ask({ method: "GET", path, query })).data;
  }

  /** Shows the contact a read receipt and, for up to 25 s, a typing indicator. */
  async showTyping({ wamid }: { readonly wamid: string }, signal: AbortSignal): Promise<void> {
    await this.#post({ status: "read", message_id: wamid, typing_indicator: { type: "text" } }, signal);
  }

  #post(body: object, signal: AbortSignal): Promise<unknown> {
    const path = `${this.#credentials.phoneNumberId}/messages`;
    return this.#api.ask({ method: "POST", path, body: { messaging_product: "whatsapp", ...body }, signal });
  }
}
