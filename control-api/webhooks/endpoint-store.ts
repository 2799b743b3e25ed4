import type { NewEndpoint, Webhook } from "@parley/shared/contracts/webhooks.ts";
import type { Database } from "@parley/shared/database/open.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import type { Kysely, Selectable } from "kysely";

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

export async function insertEndpoint(db: Kysely<Tables>, endpoint: EndpointRow): Promise<Webhook> {
  const { events = [] } = endpoint;
  const row = await db
    .insertInto("webhook_endpoints")
    .values({
      id: endpoint.id,
      org_id: endpoint.orgId,
      url: endpoint.url,
      // Omitted or empty means everything (spec 2, "Webhook endpoint").
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

export async function listEndpoints({ db }: Database, orgId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("listening_until", "is", null)
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
    .executeTakeFirst();
  return row && toWebhook(row);
}

/** True for one that was there; its deliveries go with it. */
export async function deleteEndpoint({ db }: Database, orgId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("webhook_endpoints")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/**
 * Those an event at `at` is raised to, terminals that have gone left out. They are kept from being deleted until the
 * transaction is over: one that goes in between must not undo the recording of the event.
 */
export function selectEnabledEndpoints(
  trx: Kysely<Tables>,
  orgId: string,
  at: Date,
): Promise<StoredEndpoint[]> {
  return trx
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("enabled", "=", true)
    .where((eb) => eb.or([eb("listening_until", "is", null), eb("listening_until", ">", at)]))
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

/** Notes why a delivery died. True when the endpoint had no fault before. */
export async function noteLastError(trx: Kysely<Tables>, id: string, reason: string): Promise<boolean> {
  const before = await trx
    .selectFrom("webhook_endpoints")
    .select("last_error")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  await trx.updateTable("webhook_endpoints").set({ last_error: reason }).where("id", "=", id).execute();
  return before?.last_error === null;
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
