import { AppError, messageOf } from "@parley/shared/errors.ts";
import { timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import { verifyBody } from "@parley/shared/security/signatures.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Api } from "../../http/routes.ts";
import {
  type ChannelRow,
  findChannel,
  findManagedSender,
  findSender,
  listManagedIn,
} from "../channels/channel-store.ts";
import type { Provider } from "../channels/provider.ts";
import type { OpenedChannel } from "../channels/senders.ts";
import type { MessagingDeps } from "../deps.ts";
import type { WebhookItem } from "../inbound/inbound-item.ts";
import { receiveEcho } from "../inbound/receive-echo.ts";
import { receiveHealth } from "../inbound/receive-health.ts";
import { receiveMessage } from "../inbound/receive-message.ts";
import { receiveStatus } from "../inbound/receive-status.ts";
import { readInstagramWebhook } from "../instagram/read-webhook.ts";
import { receivePreference } from "../opt-out/note-preference.ts";
import { readWebhook } from "../whatsapp/read-webhook.ts";
import { webhookPath } from "./webhook-path.ts";

/** The largest body that Meta posts. */
const MAX_BODY_BYTES = 3 * 1_048_576;
const FORBIDDEN = 403;
const params = z.object({ channelId: z.string().min(1).max(64) });
const handshake = z.object({
  "hub.mode": z.literal("subscribe"),
  "hub.verify_token": z.string().max(256),
  "hub.challenge": z.string().max(1_024),
});

const READERS: Readonly<Record<Provider, (body: unknown, now: Date) => WebhookItem[]>> = {
  whatsapp: readWebhook,
  instagram: readInstagramWebhook,
};

/** Meta's webhook, authenticated by the signature over its exact bytes. */
export async function channelWebhookRoutes(app: Api, provider: Provider, deps: MessagingDeps): Promise<void> {
  const path = webhookPath(provider, ":channelId");
  const options = { config: { access: PUBLIC }, schema: { hide: true } };
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const asBytes = { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser("*", asBytes, (_request, body, parsed) => parsed(null, body));
    scope.get(path, options, async (request, reply) => {
      const { credentials } = await openedChannel(request, provider, deps);
      const { data } = handshake.safeParse(request.query);
      const isMeta = data && timingSafeEqualText(data["hub.verify_token"], credentials.verifyToken);
      reply.type("text/plain");
      return isMeta ? data["hub.challenge"] : reply.status(FORBIDDEN).send("");
    });
    scope.post(path, options, async (request) => {
      const channel = await openedChannel(request, provider, deps);
      const items = READERS[provider](signedJson(request, channel), new Date(deps.clock.wallMs()));
      await takeIn(items, channel, deps);
      return { success: true };
    });
    done();
  });
}

async function openedChannel(
  request: FastifyRequest,
  provider: Provider,
  { senders }: MessagingDeps,
): Promise<OpenedChannel> {
  const { channelId } = params.parse(request.params);
  const channel = await senders.find(channelId);
  if (channel?.provider === provider) return channel;
  throw new AppError("not_found", "There is no such channel.");
}

/** Throws `AppError` forbidden, bad_request. */
function signedJson({ headers, body }: FastifyRequest, { credentials }: OpenedChannel): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const signature = String(headers["x-hub-signature-256"] ?? "");
  const secrets = [credentials.appSecret, credentials.previousAppSecret ?? credentials.appSecret];
  if (!secrets.some((secret) => verifyBody(secret, bytes, signature)))
    throw new AppError("forbidden", "The signature is not this app's.");
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw new AppError("bad_request", "The body is not JSON.", { cause });
  }
}

/** Stores each item separately. Throws `AppError` unavailable if one failed, so that Meta redelivers the rest. */
async function takeIn(
  items: readonly WebhookItem[],
  opened: OpenedChannel,
  deps: MessagingDeps,
): Promise<void> {
  let failure: unknown;
  for (const item of items) {
    await takeOne(item, opened, deps).catch((error: unknown) => {
      failure = error;
      deps.log.warn(
        {
          event: "channel_event_not_kept",
          channelId: opened.channelId,
          kind: item.kind,
          err: messageOf(error),
        },
        "failed to keep what a channel's provider told",
      );
    });
  }
  if (failure !== undefined)
    throw new AppError("unavailable", "Not all of it could be saved. Send it again.", { cause: failure });
}

async function takeOne(item: WebhookItem, opened: OpenedChannel, deps: MessagingDeps): Promise<void> {
  const { metrics } = deps;
  if (item.kind === "health") {
    for (const channel of await toldOf(item, opened, deps)) await receiveHealth(item, channel, deps);
    metrics.messagingEventsTotal.inc({ kind: "health", outcome: "kept" });
    return;
  }
  // One app reports all of its numbers at one address.
  const channel = await senderOf(item.sender, opened, deps);
  if (!channel) {
    metrics.messagingEventsTotal.inc({ kind: item.kind, outcome: "unknown_sender" });
    return;
  }
  const isNew = await keep(item, channel, deps);
  metrics.messagingEventsTotal.inc({ kind: item.kind, outcome: isNew ? "kept" : "known" });
}

/** Returns false if the item was known. */
function keep(
  item: Exclude<WebhookItem, { readonly kind: "health" }>,
  channel: ChannelRow,
  deps: MessagingDeps,
): Promise<boolean> {
  if (item.kind === "message") return receiveMessage(item.message, channel, deps);
  if (item.kind === "echo") return receiveEcho(item.echo, channel, deps);
  if (item.kind === "preference") return receivePreference(item.preference, channel, deps);
  return receiveStatus(item.status, channel, deps);
}

/** The operator's app reports the numbers of all organizations at the address of one. */
async function senderOf(
  account: string,
  { orgId, provider, channelId }: OpenedChannel,
  { database: { db } }: MessagingDeps,
): Promise<ChannelRow | undefined> {
  const own = await findSender(db, { orgId, provider, account });
  if (own?.id === channelId) return own;
  const { managed } = await findChannel(db, orgId, channelId);
  return managed ? findManagedSender(db, { provider, account }) : own;
}

/**
 * Whose channels a report on an account is about. Of an account of the operator's, one that names a number is for whoever
 * has it, and any other for all; at most one of an organization.
 */
async function toldOf(
  { wabaId, value }: Extract<WebhookItem, { readonly kind: "health" }>,
  opened: OpenedChannel,
  deps: MessagingDeps,
): Promise<ChannelRow[]> {
  const channel = await senderOf(opened.account, opened, deps);
  if (!channel?.managed) return channel ? [channel] : [];
  // The operator's app reports all of its accounts at one address.
  const managed = await listManagedIn(deps.database.db, wabaId);
  const named = numbersIn(value);
  const about =
    named.size === 0
      ? managed
      : managed.filter(({ account, phone }) => named.has(account) || (phone !== null && named.has(phone)));
  return [...new Map(about.map((one) => [one.org_id, one])).values()];
}

const NUMBER_KEYS = ["display_phone_number", "phone_number"];

/** The numbers that a report names, as `+` and digits or by WhatsApp's id. */
function numbersIn(value: unknown): Set<string> {
  const named = new Set<string>();
  for (const part of [value, fieldOf(value, "metadata"), fieldOf(value, "phone_number_settings")]) {
    for (const number of NUMBER_KEYS.map((key) => fieldOf(part, key)))
      if (typeof number === "string") named.add(`+${number.replaceAll(/\D/g, "")}`);
    const id = fieldOf(part, "phone_number_id");
    if (id !== undefined) named.add(String(id));
  }
  if (fieldOf(value, "entity_type") === "PHONE_NUMBER") named.add(String(fieldOf(value, "entity_id")));
  return named;
}

function fieldOf(value: unknown, key: string): unknown {
  return Reflect.get(Object(value), key);
}
