import { z } from "zod";
import type {
  ChannelSender,
  Recipient,
  SenderFacts,
  SentMedia,
  Template,
} from "../channels/channel-sender.ts";
import { GraphApi, type GraphProduct, type GraphReach, type PulledMedia } from "../graph/graph-api.ts";
import { instagramMeaning } from "./instagram-errors.ts";

/** Suffixes of the hostnames of Meta's media servers. */
const MEDIA_HOSTS = [".cdninstagram.com", ".fbcdn.net", ".fbsbx.com"];
const INSTAGRAM: GraphProduct = {
  id: "instagram",
  name: "Instagram",
  url: "https://graph.instagram.com",
  isMediaUrl: ({ protocol, hostname }) =>
    protocol === "https:" && MEDIA_HOSTS.some((host) => hostname.endsWith(host)),
  // Media URLs are signed and work for anyone who has them.
  sendsToken: false,
  meaningOf: instagramMeaning,
};
const MAX_MEDIA_BYTES = 25 * 1_048_576;
const FIELDS = "messages,messaging_postbacks,messaging_seen,message_reactions,message_edit";

const text = z.string().min(1);
const account = z.object({ user_id: z.coerce.string(), username: text.optional().catch(undefined) });
const contact = z.object({
  name: text.optional().catch(undefined),
  username: text.optional().catch(undefined),
});
const refreshed = z.object({ access_token: text });

/** One professional Instagram account. */
export class InstagramSender implements ChannelSender {
  readonly #api: GraphApi;
  readonly #token: string;

  constructor(orgId: string, { accessToken }: { readonly accessToken: string }, reach: GraphReach) {
    this.#api = new GraphApi({ orgId, token: accessToken, product: INSTAGRAM }, reach);
    this.#token = accessToken;
  }

  /** Id of the token's account. */
  async accountId(): Promise<string> {
    return (await this.#me()).user_id;
  }

  async describe(): Promise<SenderFacts> {
    const { username } = await this.#me();
    return { phone: null, verifiedName: username === undefined ? null : `@${username}`, quality: null };
  }

  async subscribe(): Promise<void> {
    const query = { subscribed_fields: FIELDS };
    await this.#api.ask({ method: "POST", path: "me/subscribed_apps", query });
  }

  async send(
    message: object,
    { to, signal }: { readonly to: Recipient; readonly messageId: string; readonly signal: AbortSignal },
  ): Promise<string> {
    const answer = await this.#post({ recipient: { id: to.userId }, ...message }, signal);
    return z.object({ message_id: text }).parse(answer).message_id;
  }

  download({ id }: SentMedia, signal: AbortSignal): Promise<PulledMedia> {
    return this.#api.download(id, MAX_MEDIA_BYTES, signal);
  }

  async templates(): Promise<Template[]> {
    return [];
  }

  async showTyping({ to }: { readonly to: Recipient }, signal: AbortSignal): Promise<void> {
    const recipient = { id: to.userId };
    await this.#post({ recipient, sender_action: "mark_seen" }, signal);
    await this.#post({ recipient, sender_action: "typing_on" }, signal);
  }

  async nameOf(userId: string, signal: AbortSignal): Promise<string | null> {
    const query = { fields: "name,username" };
    const answer = await this.#api.ask({ method: "GET", path: encodeURIComponent(userId), query, signal });
    const { name, username } = contact.parse(answer);
    return name ?? (username === undefined ? null : `@${username}`);
  }

  /** Returns a new token of the same account, valid for sixty days. */
  async refreshToken(signal: AbortSignal): Promise<string> {
    const query = { grant_type: "ig_refresh_token", access_token: this.#token };
    const answer = await this.#api.ask({ method: "GET", path: "refresh_access_token", query, signal });
    return refreshed.parse(answer).access_token;
  }

  async #me(): Promise<z.infer<typeof account>> {
    const query = { fields: "user_id,username" };
    return account.parse(await this.#api.ask({ method: "GET", path: "me", query }));
  }

  #post(body: object, signal: AbortSignal): Promise<unknown> {
    return this.#api.ask({ method: "POST", path: "me/messages", body, signal });
  }
}
