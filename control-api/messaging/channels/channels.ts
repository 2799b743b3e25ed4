import type {
  Channel,
  ChannelCredentials,
  ConnectChannel,
  UpdateChannel,
} from "@parley/shared/contracts/messaging.ts";
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
import { webhookPath } from "../whatsapp/webhook-path.ts";
import { type SenderFacts, WhatsAppSender } from "../whatsapp/whatsapp-sender.ts";
import { type ChannelChange, type ChannelRow, findChannel, updateChannel } from "./channel-store.ts";
import { asked, CHANNEL_CONNECTIONS, channelProviders, type StoredCredentials } from "./credentials.ts";

const VERIFY_TOKEN_BYTES = 24;

export interface ConnectedChannel extends Channel {
  readonly webhook: { readonly callbackUrl: string; readonly verifyToken: string };
}

/**
 * Connects a number, once WhatsApp has taken its credentials, and subscribes the app to its account's events. Throws `AppError`
 * bad_request (WhatsApp says why), conflict (the number is connected), validation_failed (no such agent), unavailable.
 */
export async function connectChannel(
  given: ConnectChannel,
  by: By,
  deps: MessagingDeps,
): Promise<ConnectedChannel> {
  const { orgId, userId } = by.actor;
  const { phoneNumberId, businessAccountId, accessToken, appSecret, agentId = null } = given;
  await assertAgent(orgId, agentId, deps);
  const verifyToken = randomToken(VERIFY_TOKEN_BYTES);
  const credentials: StoredCredentials = {
    phoneNumberId,
    businessAccountId,
    accessToken,
    appSecret,
    verifyToken,
  };
  const facts = await verifiedFacts(orgId, credentials, deps);
  const at = new Date(deps.clock.wallMs());
  const id = newId("chn");
  const credentialsSealed = deps.secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.channel(id));
  const row = {
    id,
    orgId,
    provider: "whatsapp",
    account: phoneNumberId,
    createdBy: userId,
    createdAt: at,
  } as const;
  const channel = await deps.database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, WRITERS);
    if (!(await insertConnection(trx, CHANNEL_CONNECTIONS, { ...row, credentialsSealed })))
      throw isConnected();
    const name = given.name ?? facts.verifiedName ?? facts.phone ?? phoneNumberId;
    const shown = { name, agent_id: agentId, business_account: businessAccountId, ...columnsOf(facts, at) };
    await updateChannel(trx, id, shown);
    return findChannel(trx, orgId, id);
  });
  await write("channel.connected", channel, by, deps);
  return { ...toChannel(channel), webhook: { callbackUrl: deps.baseUrl() + webhookPath(id), verifyToken } };
}

/** Where Meta is to post, and what it is told then. Throws `AppError` not_found. */
export async function readChannel(orgId: string, id: string, deps: MessagingDeps): Promise<ConnectedChannel> {
  const row = await findChannel(deps.database.db, orgId, id);
  const opened = await deps.senders.find(id);
  const verifyToken = opened?.credentials.verifyToken ?? "";
  return { ...toChannel(row), webhook: { callbackUrl: deps.baseUrl() + webhookPath(id), verifyToken } };
}

/** Throws `AppError` not_found, validation_failed. */
export async function changeChannel(
  { orgId, id, change }: { readonly orgId: string; readonly id: string; readonly change: UpdateChannel },
  deps: MessagingDeps,
): Promise<Channel> {
  const { name, agentId } = change;
  await findChannel(deps.database.db, orgId, id);
  await assertAgent(orgId, agentId ?? null, deps);
  const columns: ChannelChange = {
    ...(name === undefined ? {} : { name }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
  };
  if (Object.keys(columns).length > 0) await updateChannel(deps.database.db, id, columns);
  return toChannel(await findChannel(deps.database.db, orgId, id));
}

/** Throws `AppError` not_found, and as `connectChannel`. */
export async function replaceChannelCredentials(
  { id, given }: { readonly id: string; readonly given: ChannelCredentials },
  by: By,
  deps: MessagingDeps,
): Promise<Channel> {
  const { orgId } = by.actor;
  await findChannel(deps.database.db, orgId, id);
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
  return toChannel(channel);
}

/** Asks WhatsApp how the number is, and notes it. Throws `AppError` not_found. */
export async function checkChannel(orgId: string, id: string, deps: MessagingDeps): Promise<Channel> {
  const { db } = deps.database;
  await findChannel(db, orgId, id);
  const opened = await deps.senders.find(id);
  const at = new Date(deps.clock.wallMs());
  try {
    const facts = await asked(async () => opened?.sender.describe());
    if (facts) await updateChannel(db, id, { ...columnsOf(facts, at), last_error: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await updateChannel(db, id, { last_error: error.message, checked_at: at });
  }
  return toChannel(await findChannel(db, orgId, id));
}

/** With all its conversations. Throws `AppError` not_found. */
export async function disconnectChannel(id: string, by: By, deps: MessagingDeps): Promise<void> {
  const { orgId } = by.actor;
  const channel = await findChannel(deps.database.db, orgId, id);
  const authorize: sealed.Authorize = async (trx) => {
    await lockRole(trx, by.actor, WRITERS);
    await deleteMediaOf(trx, { channelId: id }, deps.queue);
  };
  await sealed.disconnect({ orgId, id }, authorize, { database: deps.database, kind: CHANNEL_CONNECTIONS });
  await write("channel.disconnected", channel, by, deps);
}

export function toChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    kind: row.provider,
    name: row.name,
    phone: row.phone,
    verifiedName: row.verified_name,
    phoneNumberId: row.account,
    businessAccountId: row.business_account ?? "",
    agentId: row.agent_id,
    status: row.last_error === null ? "active" : "error",
    lastError: row.last_error,
    quality: row.quality,
    health: row.health,
    checkedAt: row.checked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

async function verifiedFacts(
  orgId: string,
  credentials: StoredCredentials,
  { reach }: MessagingDeps,
): Promise<SenderFacts> {
  const sender = new WhatsAppSender(orgId, credentials, reach);
  return asked(async () => {
    const facts = await sender.describe();
    await sender.subscribe();
    return facts;
  });
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

function isConnected(): AppError {
  const message = "This number is connected already. Replace its credentials instead of connecting it again.";
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
