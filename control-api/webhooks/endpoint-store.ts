import type { NewEndpoint, Webhook } from "@parley/shared/contracts/webhooks.ts";
import type { Kysely, Selectable } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import { deleteDeliveriesOf } from "./delivery-store.ts";

const TELL_AGAIN_MS = 86_400_000;

export type StoredEndpoint = Selectable<Tables["webhook_endpoints"]>;

export interface EndpointRow extends NewEndpoint {
  readonly id: string;
  readonly orgId: string;
  readonly secretSealed: string;
  readonly createdBy: string;
  readonly at: Date;
  /** Of a terminal that listens, and fetches what it is owed. */
  readonly listeningUntil?: Date;
}

async function insertEndpoint(db: Kysely<Tables>, endpoint: EndpointRow): Promise<Webhook> {
  const { events = [] } = endpoint;
  const row = await db
    .insertInto("webhook_endpoints")
    .values({
      id: endpoint.id,
      org_id: endpoint.orgId,
      url: endpoint.url,
      // Omitted or empty means everything (docs/webhooks.md#registration).
      events: JSON.stringify(events.length === 0 ? ["*"] : events),
      agent_id: endpoint.agentId ?? null,
      include_recording: endpoint.includeRecording,
      include_transcript: endpoint.includeTranscript,
      secret_sealed: endpoint.secretSealed,
      created_by: endpoint.createdBy,
      created_at: endpoint.at,
      listening_until: endpoint.listeningUntil ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWebhook(row);
}

/**
 * Undefined when the organization has `most` already: of endpoints, or of listeners if this is one. One is inserted at a
 * time in an organization, or two would both be the last that fits.
 */
export function insertEndpointWithin(
  { db }: Database,
  endpoint: EndpointRow,
  most: number,
): Promise<Webhook | undefined> {
  const { orgId, at, listeningUntil } = endpoint;
  return db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", orgId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    let others = trx
      .selectFrom("webhook_endpoints")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("org_id", "=", orgId);
    if (listeningUntil) others = others.where("listening_until", ">", at);
    else others = others.where("listening_until", "is", null).where("removed_at", "is", null);
    const { count } = await others.executeTakeFirstOrThrow();
    return Number(count) >= most ? undefined : insertEndpoint(trx, endpoint);
  });
}

export async function listEndpoints({ db }: Database, orgId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("listening_until", "is", null)
    .where("removed_at", "is", null)
    .orderBy("id", "desc")
    .execute();
  return rows.map(toWebhook);
}

export async function findEndpoint(
  { db }: Database,
  orgId: string,
  id: string,
): Promise<Webhook | undefined> {
  const row = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row && toWebhook(row);
}

/**
 * True for one that was there. Nobody is shown it any more and nothing more is sent to it; its deliveries and it are
 * deleted now, or by the reaper when a legal hold has ended.
 */
export async function removeEndpoint(
  database: Database,
  { orgId, id, at }: { readonly orgId: string; readonly id: string; readonly at: Date },
): Promise<boolean> {
  const removed = await database.db
    .updateTable("webhook_endpoints")
    .set({ enabled: false, removed_at: at })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!removed) return false;
  await deleteRemovedEndpoint(database, { id, orgId });
  return true;
}

/** Deletes removed endpoints that no legal hold keeps. */
export async function deleteRemovedEndpoints(database: Database): Promise<void> {
  const removed = await database.db
    .selectFrom("webhook_endpoints")
    .select(["id", "org_id as orgId"])
    .where("removed_at", "is not", null)
    .execute();
  for (const endpoint of removed) await deleteRemovedEndpoint(database, endpoint);
}

/** The deliveries before the endpoint: they may be millions. A hold that begins meanwhile keeps what is left. */
async function deleteRemovedEndpoint(
  database: Database,
  { id, orgId }: { readonly id: string; readonly orgId: string },
): Promise<void> {
  await deleteDeliveriesOf(database, id);
  await database.db.transaction().execute(async (trx) => {
    const org = await trx
      .selectFrom("organizations")
      .select("legal_hold")
      .where("id", "=", orgId)
      .forShare()
      .executeTakeFirst();
    if (!org?.legal_hold) await trx.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
  });
}

/**
 * Those of these organizations an event at `at` is raised to, terminals that have gone left out. They are kept from being deleted until the
 * transaction is over: one that goes in between must not undo the recording of the event.
 */
export function selectEnabledEndpoints(
  trx: Kysely<Tables>,
  orgIds: readonly string[],
  at: Date,
): Promise<StoredEndpoint[]> {
  return trx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("org_id", "in", [...orgIds])
    .where("enabled", "=", true)
    .where((eb) => eb.or([eb("listening_until", "is", null), eb("listening_until", ">", at)]))
    .orderBy("id")
    .forKeyShare()
    .execute();
}

/** One-way: there is no re-enable. True for the one who disabled it. */
export async function disableEndpoint(trx: Kysely<Tables>, id: string, reason: string): Promise<boolean> {
  const disabled = await trx
    .updateTable("webhook_endpoints")
    .set({ enabled: false, last_error: reason })
    .where("id", "=", id)
    .where("enabled", "=", true)
    .returning("id")
    .executeTakeFirst();
  return disabled !== undefined;
}

/** Notes why a delivery died at `at`. True when its owners have to be told: not more than once a day. */
export async function noteLastError(
  trx: Kysely<Tables>,
  id: string,
  { reason, at }: { reason: string; at: Date },
): Promise<boolean> {
  await trx.updateTable("webhook_endpoints").set({ last_error: reason }).where("id", "=", id).execute();
  const longAgo = new Date(at.getTime() - TELL_AGAIN_MS);
  const told = await trx
    .updateTable("webhook_endpoints")
    .set({ owners_told_at: at })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("owners_told_at", "is", null), eb("owners_told_at", "<", longAgo)]))
    .returning("id")
    .executeTakeFirst();
  return told !== undefined;
}

function toWebhook(row: StoredEndpoint): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    agentId: row.agent_id,
    includeRecording: row.include_recording,
    includeTranscript: row.include_transcript,
    enabled: row.enabled,
    last_error: row.last_error,
    createdAt: row.created_at.toISOString(),
  };
}
