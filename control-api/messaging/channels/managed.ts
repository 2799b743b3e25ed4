import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import { insertAuditEvent } from "../../identity/audit/store.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { deleteConnection, insertConnection, updateCredentials } from "../../sealed/connections/store.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { GraphReach } from "../graph/graph-api.ts";
import { deleteMediaOf } from "../inbound/delete-media.ts";
import { lockThreadsOf } from "../threads/thread-store.ts";
import { type ChannelRow, findManagedSender, findSender, updateChannel } from "./channel-store.ts";
import { asked, CHANNEL_CONNECTIONS, openSender, type StoredCredentials } from "./credentials.ts";

const PROVIDER = "whatsapp";
const VERIFY_TOKEN_BYTES = 24;

/** A number of the operator's own business account, with the credentials of the operator's Meta app. */
export interface ManagedNumber {
  readonly orgId: string;
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

interface LendingDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly reach: GraphReach;
  readonly nowMs: () => number;
}

export interface Lent {
  readonly channelId: string;
  readonly phone: string | null;
  /** What the operator enters at Meta, for the first number of an app. */
  readonly verifyToken: string;
}

/**
 * Lends one of the operator's numbers to an organization, whose members choose who answers and never see its
 * credentials (docs/decisions/messaging.md#managed-numbers). For whoever has it already, replaces its credentials: the
 * verify token stays, and what Meta signs with the former app secret is still taken. Throws `AppError` bad_request
 * (WhatsApp says why), conflict (another organization has the number, or this one connected it itself), not_found (no
 * such organization).
 */
export async function lendNumber(given: ManagedNumber, deps: LendingDeps): Promise<Lent> {
  const { orgId, phoneNumberId: account } = given;
  const { db } = deps.database;
  const found = await findSender(db, { orgId, provider: PROVIDER, account });
  return found?.managed ? replaceCredentials(given, found, deps) : lendNew(given, deps);
}

async function lendNew({ orgId, ...given }: ManagedNumber, deps: LendingDeps): Promise<Lent> {
  const { database, secrets } = deps;
  const verifyToken = randomToken(VERIFY_TOKEN_BYTES);
  const { credentials, facts } = await tried({ ...given, verifyToken }, orgId, deps);
  const { phone, verifiedName, quality } = facts;
  const at = new Date(deps.nowMs());
  const id = newId("chn");
  await database.db.transaction().execute(async (trx) => {
    const org = trx.selectFrom("organizations").select("id").where("id", "=", orgId);
    if (!(await org.executeTakeFirst()))
      throw new AppError("not_found", `There is no organization ${orgId}.`);
    if (await findManagedSender(trx, { provider: PROVIDER, account: given.phoneNumberId }))
      throw new AppError("conflict", "The number belongs to another organization.");
    const credentialsSealed = secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.channel(id));
    const row = {
      id,
      orgId,
      provider: PROVIDER,
      account: given.phoneNumberId,
      createdBy: "operator",
    } as const;
    if (!(await insertConnection(trx, CHANNEL_CONNECTIONS, { ...row, credentialsSealed, createdAt: at })))
      throw new AppError("conflict", "This organization connected the number itself.");
    // The index refuses what another process lends meanwhile.
    await trx
      .updateTable("messaging_channels")
      .set({
        ...{ managed: true, name: verifiedName ?? phone ?? given.phoneNumberId, phone, checked_at: at },
        ...{ verified_name: verifiedName, quality, business_account: given.businessAccountId },
      })
      .where("id", "=", id)
      .execute();
    await writeAudit(trx, "channel.lent", { orgId, channelId: id, phone, at });
  });
  return { channelId: id, phone, verifyToken };
}

async function replaceCredentials(
  { orgId, ...given }: ManagedNumber,
  { id }: Pick<ChannelRow, "id">,
  deps: LendingDeps,
): Promise<Lent> {
  const { database, secrets } = deps;
  const before = await readCredentials(id, orgId, deps);
  const { verifyToken } = before;
  const previous = before.appSecret === given.appSecret ? {} : { previousAppSecret: before.appSecret };
  const { credentials, facts } = await tried({ ...given, ...previous, verifyToken }, orgId, deps);
  const credentialsSealed = secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.channel(id));
  const at = new Date(deps.nowMs());
  const account = given.phoneNumberId;
  await database.db.transaction().execute(async (trx) => {
    const replaced = { id, orgId, account, credentialsSealed, at };
    if (!(await updateCredentials(trx, CHANNEL_CONNECTIONS, replaced)))
      throw new AppError("conflict", "The organization returned the number in the meantime. Lend it again.");
    const change = { business_account: given.businessAccountId, last_error: null, checked_at: at };
    await updateChannel(trx, id, change);
    const about = { orgId, channelId: id, phone: facts.phone, at };
    await writeAudit(trx, "channel.credentials_replaced", about);
  });
  return { channelId: id, phone: facts.phone, verifyToken };
}

export interface TakenBack {
  readonly orgId: string;
  readonly channelId: string;
  readonly phone: string | null;
}

/**
 * Takes a number of the operator's back from whoever has it, with its conversations, as if they had disconnected it.
 * Throws `AppError` not_found if nobody has it.
 */
export async function takeBackNumber(
  phoneNumberId: string,
  {
    database,
    queue,
    nowMs,
  }: Pick<LendingDeps, "database" | "nowMs"> & { readonly queue: Pick<JobQueue, "add"> },
): Promise<TakenBack> {
  return database.db.transaction().execute(async (trx) => {
    const channel = await findManagedSender(trx, { provider: PROVIDER, account: phoneNumberId });
    if (!channel)
      throw new AppError("not_found", `No organization has the number ${phoneNumberId} of the operator.`);
    const { id, org_id: orgId, phone } = channel;
    await lockThreadsOf(trx, id);
    await deleteMediaOf(trx, { channelId: id }, queue);
    await deleteConnection(trx, CHANNEL_CONNECTIONS, { orgId, id });
    await writeAudit(trx, "channel.taken_back", { orgId, channelId: id, phone, at: new Date(nowMs()) });
    return { orgId, channelId: id, phone };
  });
}

interface Audited extends TakenBack {
  readonly at: Date;
}

/** The organization reads in its audit log what the operator, who has no account there, did with the number. */
async function writeAudit(
  trx: Database["db"],
  action: string,
  { orgId, channelId, phone, at }: Audited,
): Promise<void> {
  await insertAuditEvent(
    { db: trx },
    {
      ...{ id: newId("aud"), org_id: orgId, user_id: null, actor_kind: "nobody", actor_id: null, action },
      ...{ outcome: "success", ip: "", user_agent: "", at },
      details: JSON.stringify({ channelId, phone, by: "operator" }),
    },
  );
}

/** Opens what is stored now. Throws `AppError` internal if its key is gone from SECRETS_KEY. */
async function readCredentials(
  id: string,
  orgId: string,
  { database, secrets, reach }: LendingDeps,
): Promise<StoredCredentials> {
  const { credentials_sealed: sealed } = await database.db
    .selectFrom("messaging_channels")
    .select("credentials_sealed")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const stored: unknown = JSON.parse(secrets.open(sealed, SEAL_CONTEXT.channel(id)));
  return openSender(PROVIDER, stored, { orgId, reach }).credentials;
}

/** Asks WhatsApp with these credentials, and has it report to the operator's app. */
async function tried(given: object, orgId: string, { reach }: LendingDeps) {
  const { credentials, sender } = openSender(PROVIDER, given, { orgId, reach });
  const facts = await asked(async () => {
    const told = await sender.describe();
    await sender.subscribe();
    return told;
  });
  return { credentials, facts };
}

/** Members may not change what is the operator's. Throws `AppError` forbidden. */
export function assertOwn({ managed }: { readonly managed: boolean }): void {
  if (!managed) return;
  const message = "This number belongs to the operator of this server, who manages its credentials.";
  throw new AppError("forbidden", message);
}
