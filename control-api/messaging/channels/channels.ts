import type { ChannelCredentials, UpdateChannel } from "@parley/shared/contracts/messaging.ts";
import { AppError, fieldError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import { findAgent } from "../../agents/agents/store.ts";
import { WRITERS } from "../../http/access/rules.ts";
import { lockRole } from "../../identity/memberships/store.ts";
import type { By } from "../../identity/orgs/members.ts";
import * as sealed from "../../sealed/connections/connections.ts";
import { insertConnection } from "../../sealed/connections/store.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { MessagingDeps } from "../deps.ts";
import { deleteMediaOf } from "../inbound/delete-media.ts";
import { lockThreadsOf } from "../threads/thread-store.ts";
import { webhookPath } from "../webhook/webhook-path.ts";
import type { SenderFacts } from "./channel-sender.ts";
import {
  type ChannelChange,
  type ChannelRow,
  findChannel,
  findOwnChannel,
  updateChannel,
} from "./channel-store.ts";
import { asked, CHANNEL_CONNECTIONS, channelProviders, openSender } from "./credentials.ts";
import { assertOwn } from "./managed.ts";
import type { Provider } from "./provider.ts";

const VERIFY_TOKEN_BYTES = 24;

/** Where Meta posts a channel's events, and the token it first presents. */
export interface ChannelWebhook {
  readonly callbackUrl: string;
  readonly verifyToken: string;
}

export interface NewChannel {
  readonly provider: Provider;
  /** The provider's id of the sender. */
  readonly account: string;
  readonly businessAccount: string | null;
  readonly name: string | undefined;
  readonly agentId: string | null;
  /** As stored, except for the verify token. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** An organization's channel at one provider. */
export interface OwnChannel {
  readonly orgId: string;
  readonly provider: Provider;
  readonly id: string;
}

/** `webhook` is null where it is the operator's. */
export type ShownChannel = ChannelRow & { readonly webhook: ChannelWebhook | null };

/**
 * Connects a sender after its provider accepts the credentials, and subscribes the app to its account's events. Throws
 * `AppError` bad_request (the provider says why), conflict (already connected), validation_failed (no such agent),
 * unavailable.
 */
export async function connectChannel(given: NewChannel, by: By, deps: MessagingDeps): Promise<ShownChannel> {
  const { orgId, userId } = by.actor;
  const { provider, account, businessAccount, agentId } = given;
  await assertAgent(orgId, agentId, deps);
  const verifyToken = randomToken(VERIFY_TOKEN_BYTES);
  const credentials = { ...given.credentials, verifyToken };
  const { sender } = openSender(provider, credentials, { orgId, reach: deps.reach });
  const facts = await asked(async () => {
    const told = await sender.describe();
    await sender.subscribe();
    return told;
  });
  const at = new Date(deps.clock.wallMs());
  const id = newId("chn");
  const credentialsSealed = deps.secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.channel(id));
  const row = { id, orgId, provider, account, createdBy: userId, createdAt: at } as const;
  const channel = await deps.database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, WRITERS);
    if (!(await insertConnection(trx, CHANNEL_CONNECTIONS, { ...row, credentialsSealed })))
      throw isConnected(provider);
    const name = given.name ?? facts.verifiedName ?? facts.phone ?? account;
    const shown = { name, agent_id: agentId, business_account: businessAccount, ...columnsOf(facts, at) };
    await updateChannel(trx, id, shown);
    return findChannel(trx, orgId, id);
  });
  await write("channel.connected", channel, by, deps);
  return { ...channel, webhook: { callbackUrl: deps.baseUrl() + webhookPath(provider, id), verifyToken } };
}

/** Reads a channel with its webhook address and verify token. Throws `AppError` not_found. */
export async function readChannel(own: OwnChannel, deps: MessagingDeps): Promise<ShownChannel> {
  const row = await findOwnChannel(deps.database.db, own);
  if (row.managed) return { ...row, webhook: null };
  const opened = await deps.senders.find(own.id);
  const verifyToken = opened?.credentials.verifyToken ?? "";
  const callbackUrl = deps.baseUrl() + webhookPath(own.provider, own.id);
  return { ...row, webhook: { callbackUrl, verifyToken } };
}

/** Throws `AppError` not_found, validation_failed. */
export async function changeChannel(
  own: OwnChannel,
  { name, agentId }: UpdateChannel,
  deps: MessagingDeps,
): Promise<ChannelRow> {
  const { orgId, id } = own;
  await findOwnChannel(deps.database.db, own);
  await assertAgent(orgId, agentId ?? null, deps);
  const columns: ChannelChange = {
    ...(name === undefined ? {} : { name }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
  };
  if (Object.keys(columns).length > 0) await updateChannel(deps.database.db, id, columns);
  return findChannel(deps.database.db, orgId, id);
}

/** Throws `AppError` not_found, and as `connectChannel` does. */
export async function replaceChannelCredentials(
  own: OwnChannel,
  given: ChannelCredentials,
  by: By,
  deps: MessagingDeps,
): Promise<ChannelRow> {
  const { orgId, id } = own;
  assertOwn(await findOwnChannel(deps.database.db, own));
  const before = (await deps.senders.find(id))?.credentials;
  const isOtherSecret = given.appSecret !== undefined && given.appSecret !== before?.appSecret;
  const previous = isOtherSecret && before ? { previousAppSecret: before.appSecret } : {};
  const values = Object.entries({ ...before, ...given, ...previous });
  const credentials = Object.fromEntries(
    values.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const kind = { kind: CHANNEL_CONNECTIONS, providers: channelProviders(deps.reach) };
  const authorize: sealed.Authorize = (trx) => lockRole(trx, by.actor, WRITERS);
  await sealed.replaceCredentials({ id, credentials }, by.actor, authorize, { ...deps, ...kind });
  await updateChannel(deps.database.db, id, { last_error: null });
  const channel = await findChannel(deps.database.db, orgId, id);
  await write("channel.credentials_replaced", channel, by, deps);
  return channel;
}

/** Fetches the sender's state from the provider and stores it. Throws `AppError` not_found. */
export async function checkChannel(own: OwnChannel, deps: MessagingDeps): Promise<ChannelRow> {
  const { db } = deps.database;
  const { orgId, id } = own;
  await findOwnChannel(db, own);
  const opened = await deps.senders.find(id);
  const at = new Date(deps.clock.wallMs());
  try {
    const facts = await asked(async () => opened?.sender.describe());
    if (facts) await updateChannel(db, id, { ...columnsOf(facts, at), last_error: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await updateChannel(db, id, { last_error: error.message, checked_at: at });
  }
  return findChannel(db, orgId, id);
}

/** Deletes a channel and all its conversations. Throws `AppError` not_found. */
export async function disconnectChannel(own: OwnChannel, by: By, deps: MessagingDeps): Promise<void> {
  const { orgId, id } = own;
  const channel = await findOwnChannel(deps.database.db, own);
  const authorize: sealed.Authorize = async (trx) => {
    await lockRole(trx, by.actor, WRITERS);
    await lockThreadsOf(trx, id);
    await deleteMediaOf(trx, { channelId: id }, deps.queue);
  };
  await sealed.disconnect({ orgId, id }, authorize, { database: deps.database, kind: CHANNEL_CONNECTIONS });
  await write("channel.disconnected", channel, by, deps);
}

function columnsOf({ phone, verifiedName, quality }: SenderFacts, at: Date): ChannelChange {
  return { phone, verified_name: verifiedName, quality, checked_at: at };
}

async function assertAgent(
  orgId: string,
  agentId: string | null,
  { database }: MessagingDeps,
): Promise<void> {
  if (agentId === null || (await findAgent(database, orgId, agentId))) return;
  throw fieldError("validation_failed", "agentId", `There is no agent ${agentId} in this organization.`);
}

function isConnected(provider: Provider): AppError {
  const what = provider === "whatsapp" ? "number" : "account";
  const message = `This ${what} is already connected. Replace its credentials instead.`;
  return new AppError("conflict", message);
}

async function write(
  action: string,
  { id, phone }: ChannelRow,
  by: By,
  { audit }: MessagingDeps,
): Promise<void> {
  const { orgId, userId } = by.actor;
  const actor = { kind: "user", id: userId } as const;
  await audit.write({ action, orgId, actor, client: by.client, details: { channelId: id, phone } });
}
