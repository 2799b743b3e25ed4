import type { Lead, PublicSettings } from "@parley/shared/contracts/public-agents.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { ErasedCalls, KnownPeople, OrgPerson, PersonalData } from "../../modules/module.ts";

type Db = Kysely<Tables>;
export type StoredPublicAgent = Selectable<Tables["public_agents"]>;

export async function findPublicAgent(
  db: Db,
  orgId: string,
  agentId: string,
): Promise<StoredPublicAgent | undefined> {
  return db
    .selectFrom("public_agents")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
}

/** A public agent with its name. */
export interface VisitedAgent extends StoredPublicAgent {
  readonly agentName: string;
}

export function findBySlug(db: Db, slug: string): Promise<VisitedAgent | undefined> {
  return visited(db).where("slug", "=", slug).executeTakeFirst();
}

export function findByAgent(db: Db, agentId: string): Promise<VisitedAgent | undefined> {
  return visited(db).where("agent_id", "=", agentId).executeTakeFirst();
}

function visited(db: Db) {
  return db
    .selectFrom("public_agents")
    .innerJoin("agents", "agents.id", "public_agents.agent_id")
    .selectAll("public_agents")
    .select("agents.name as agentName")
    .where("is_public", "=", true);
}

/** Inserts or updates the public page; the slug never changes. */
export async function savePublicAgent(
  trx: Db,
  row: Omit<StoredPublicAgent, "settings" | "created_at"> & { readonly settings: PublicSettings },
): Promise<StoredPublicAgent> {
  const { is_public, code_hash, changed_by, updated_at } = row;
  const settings = JSON.stringify(row.settings);
  return trx
    .insertInto("public_agents")
    .values({ ...row, settings, created_at: updated_at })
    .onConflict((conflict) =>
      conflict.column("agent_id").doUpdateSet({ is_public, settings, code_hash, changed_by, updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An active owner, in whose name strangers are answered: whoever published the agent may be gone. */
export async function ownerOf(db: Db, orgId: string): Promise<string | undefined> {
  const owner = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id as userId")
    .where("memberships.org_id", "=", orgId)
    .where("memberships.role", "=", "owner")
    .where("users.status", "=", "active")
    .orderBy("users.id")
    .executeTakeFirst();
  return owner?.userId;
}

export interface Visited {
  readonly agentId: string;
  readonly day: string;
  /** '' counts all visitors. */
  readonly visitor: string;
}

/** Counts a visit; false at `max`. A single statement: concurrent visits stay within the limit. */
export async function countVisit(db: Db, { agentId, day, visitor }: Visited, max: number): Promise<boolean> {
  const counted = await db
    .insertInto("public_visits")
    .values({ agent_id: agentId, day, visitor, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["agent_id", "day", "visitor"])
        .doUpdateSet({ count: sql<number>`public_visits.count + 1` })
        .where("public_visits.count", "<", max),
    )
    .returning("count")
    .executeTakeFirst();
  return counted !== undefined;
}

/** Uncounts a visit whose conversation did not begin. */
export async function uncountVisit(db: Db, { agentId, day, visitor }: Visited): Promise<void> {
  await db
    .updateTable("public_visits")
    .set({ count: sql<number>`count - 1` })
    .where("agent_id", "=", agentId)
    .where("day", "=", day)
    .where("visitor", "=", visitor)
    .execute();
}

/**
 * Counts the calls of an agent's visitors that have not ended, this transaction's own included. Visitors who call at
 * the same time are counted one after the other, whichever process they came to.
 */
export async function countLiveVisitors(trx: Db, agentId: string): Promise<number> {
  await trx
    .selectFrom("public_agents")
    .select("agent_id")
    .where("agent_id", "=", agentId)
    .forUpdate()
    .execute();
  const { count } = await trx
    .selectFrom("calls")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("agent_id", "=", agentId)
    .where("is_visitors", "=", true)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function deleteOldVisits({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("public_visits").where("day", "<", dayOf(before.getTime())).execute();
}

export function dayOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10);
}

export interface NewLead {
  readonly id: string;
  readonly orgId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly at: Date;
}

export async function insertLead(
  db: Db,
  { id, orgId, agentId, sessionId, fields, at }: NewLead,
): Promise<void> {
  await db
    .insertInto("public_leads")
    .values({
      id,
      org_id: orgId,
      agent_id: agentId,
      session_id: sessionId,
      fields: JSON.stringify(fields),
      created_at: at,
    })
    .execute();
}

/** Leads, newest first. */
export async function listLeads(
  db: Db,
  { orgId, agentId }: { readonly orgId: string; readonly agentId: string },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ leads: Lead[]; total: number }> {
  const those = db.selectFrom("public_leads").where("org_id", "=", orgId).where("agent_id", "=", agentId);
  const rows = await those.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
  const counted = await those.select(({ fn }) => fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
  const leads = rows.map((row) => ({
    id: row.id,
    sessionId: row.session_id,
    fields: row.fields,
    createdAt: row.created_at.toISOString(),
  }));
  return { leads, total: Number(counted.count) };
}

/** Erases leads along with their calls. */
export async function eraseLeads(trx: Db, { sessionIds }: ErasedCalls): Promise<void> {
  await trx.deleteFrom("public_leads").where("session_id", "in", sessionIds).execute();
}

/** What strangers entered about themselves before they talked. */
export const LEADS: PersonalData = {
  name: "leads",
  tables: ["public_leads"],
  read: (db, { orgId, sessionIds }) =>
    db
      .selectFrom("public_leads")
      .select(["session_id as sessionId", "fields", "created_at as createdAt"])
      .where("org_id", "=", orgId)
      .where("session_id", "in", [...sessionIds])
      .orderBy("id")
      .execute(),
};

/** What strangers entered and then never talked: no call exists that could carry it. */
export const LEADS_ALONE: KnownPeople = {
  name: "leads-without-a-call",
  read: (db, person) =>
    leadsOf(db, person)
      .select(["fields", "created_at as createdAt"])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("calls")
              .select("calls.id")
              .whereRef("calls.session_id", "=", "public_leads.session_id"),
          ),
        ),
      )
      .orderBy("id")
      .execute(),
  forget: async (trx, person) => {
    const { rows } = await sql`delete from public_leads where id in (${leadsOf(trx, person).select("id")})
      returning id`.execute(trx);
    return { gone: rows.length, inUse: 0 };
  },
};

/** Leads whose email or number is the person's, in any spelling; names and companies are shared by many people. */
function leadsOf(db: Db, { orgId, identifier }: OrgPerson) {
  return db
    .selectFrom("public_leads")
    .where("org_id", "=", orgId)
    .where(
      sql<boolean>`exists (
      select from jsonb_each_text(fields) as field(name, value)
      where (name = 'email' and lower(btrim(value)) = lower(${identifier}::text))
        or (name = 'phone' and regexp_replace(
          regexp_replace(value, '[\\s().\\-/\\u2010-\\u2015]', '', 'g'), '^00', '+') = ${identifier}::text)
    )`,
    );
}
