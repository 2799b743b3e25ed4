import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { AgentsTable, AgentVersionsTable, Tables } from "../../database/tables.ts";
import type { StoredSettings } from "./settings.ts";

export type StoredAgent = Selectable<AgentsTable>;
export type StoredVersion = Selectable<AgentVersionsTable>;

/** Who changed an agent; `nobody` is Parley itself. */
export interface ChangedBy {
  readonly kind: "user" | "key" | "nobody";
  readonly id: string | null;
}

interface AgentState extends StoredSettings {
  readonly name: string;
  readonly by: ChangedBy;
  readonly at: Date;
}

/** Inserts a new agent and its first version. */
export async function insertAgent(
  trx: Kysely<Tables>,
  agent: AgentState & { readonly id: string; readonly orgId: string },
): Promise<StoredAgent> {
  const row = await trx
    .insertInto("agents")
    .values({
      id: agent.id,
      org_id: agent.orgId,
      name: agent.name,
      settings: JSON.stringify(agent.settings),
      sealed: JSON.stringify(agent.sealed),
      created_at: agent.at,
      updated_at: agent.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertVersion(trx, row, agent.by);
  return row;
}

/** Creates the next version of an agent that this transaction has locked. */
export async function updateAgent(
  trx: Kysely<Tables>,
  before: StoredAgent,
  { name, settings, sealed, by, at }: AgentState,
): Promise<StoredAgent> {
  const row = await trx
    .updateTable("agents")
    .set({
      name,
      settings: JSON.stringify(settings),
      sealed: JSON.stringify(sealed),
      version: before.version + 1,
      updated_at: at,
    })
    .where("id", "=", before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertVersion(trx, row, by);
  return row;
}

async function insertVersion(trx: Kysely<Tables>, agent: StoredAgent, by: ChangedBy): Promise<void> {
  await trx
    .insertInto("agent_versions")
    .values({
      agent_id: agent.id,
      version: agent.version,
      org_id: agent.org_id,
      name: agent.name,
      settings: JSON.stringify(agent.settings),
      sealed_names: JSON.stringify(Object.keys(agent.sealed)),
      actor_kind: by.kind,
      actor_id: by.id,
      created_at: agent.updated_at,
    })
    .execute();
}

/** Finds an agent of this organization; agents of other organizations do not exist here. */
export async function findAgent(
  { db }: Pick<Database, "db">,
  orgId: string,
  id: string,
): Promise<StoredAgent | undefined> {
  return select(db, orgId, id).executeTakeFirst();
}

/** Finds an agent and locks its row until the transaction ends. */
export async function lockAgent(
  trx: Kysely<Tables>,
  orgId: string,
  id: string,
): Promise<StoredAgent | undefined> {
  return select(trx, orgId, id).forUpdate().executeTakeFirst();
}

/** Whether the agent is there; if so, nobody deletes it before the transaction ends. */
export async function holdsAgent(trx: Kysely<Tables>, id: string): Promise<boolean> {
  const agent = await trx
    .selectFrom("agents")
    .select("id")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  return agent !== undefined;
}

function select(db: Kysely<Tables>, orgId: string, id: string) {
  return db.selectFrom("agents").selectAll().where("org_id", "=", orgId).where("id", "=", id);
}

interface WantedAgents {
  /** An id, or part of the name, ignoring case. */
  readonly search?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Agents, newest first, and their total number. */
export async function listAgents(
  { db }: Database,
  orgId: string,
  { search, limit, offset }: WantedAgents,
): Promise<{ rows: StoredAgent[]; total: number }> {
  const all = db.selectFrom("agents").where("org_id", "=", orgId);
  const agents =
    search === undefined
      ? all
      : all.where(({ eb, or, fn, val }) =>
          or([
            eb("id", "=", search),
            // strpos instead of LIKE: % and _ in a name are literal.
            eb(fn("strpos", [fn("lower", ["name"]), fn("lower", [val(search)])]), ">", 0),
          ]),
        );
  const rows = await agents.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
  const { total } = await agents.select(({ fn }) => fn.countAll().as("total")).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** Deletes an agent; its versions stay. Returns false if there was none. */
export async function deleteAgent({ db }: Database, orgId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("agents")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Versions, newest first; also of a deleted agent. */
export async function listVersions(
  { db }: Database,
  of: { readonly orgId: string; readonly agentId: string },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: StoredVersion[]; total: number }> {
  const versions = db
    .selectFrom("agent_versions")
    .where("org_id", "=", of.orgId)
    .where("agent_id", "=", of.agentId);
  const rows = await versions.selectAll().orderBy("version", "desc").limit(limit).offset(offset).execute();
  const { total } = await versions.select(({ fn }) => fn.countAll().as("total")).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export async function findVersion(
  { db }: Database,
  { orgId, agentId }: { readonly orgId: string; readonly agentId: string },
  version: number,
): Promise<StoredVersion | undefined> {
  return db
    .selectFrom("agent_versions")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .executeTakeFirst();
}
