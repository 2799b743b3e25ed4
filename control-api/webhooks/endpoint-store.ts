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
  /** Expiry of a terminal that listens and fetches its own deliveries. */
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
 * Returns undefined if the organization already has `most` endpoints, or listeners if this is one. Serializes inserts
 * per organization, or two could both take the last slot.
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
 * Hides an endpoint and stops sending to it; it and its deliveries are deleted now, or by the reaper after a legal hold
 * ends. Returns true if the endpoint existed.
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

/** Deletes the deliveries first: there may be millions. A hold that begins meanwhile keeps the rest. */
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
 * Endpoints of these organizations that receive an event at `at`, except expired terminals. Locks them against deletion
 * until the transaction ends: a concurrent deletion must not fail the recording of the event.
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

/** One-way: there is no re-enable. Returns true to the caller that disabled it. */
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

/** Stores why a delivery died at `at`. Returns true, at most once a day, if the owners must be told. */
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
