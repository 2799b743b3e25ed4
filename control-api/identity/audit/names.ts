import { sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/** A table of an organization's things, and the column by which people know them. */
interface Named {
  readonly table: keyof Tables;
  readonly name: string;
}

/** By how the ids begin. Webhooks have an address instead of a name. */
const NAMED: Readonly<Record<string, Named>> = {
  agt: { table: "agents", name: "name" },
  app: { table: "apps", name: "name" },
  chn: { table: "messaging_channels", name: "name" },
  con: { table: "integration_connections", name: "label" },
  key: { table: "api_keys", name: "name" },
  mcp: { table: "mcp_connections", name: "label" },
  whk: { table: "webhook_endpoints", name: "url" },
};

interface Row {
  readonly id: string;
  readonly name: string;
}

interface Event {
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly details: Record<string, unknown>;
}

/** The names of what events are about, by id; what is gone, and people, are left out. */
export async function namesIn(
  { db }: Pick<Database, "db">,
  orgId: string,
  events: readonly Event[],
): Promise<Record<string, string>> {
  const ids = Map.groupBy(new Set(events.flatMap(idsOf)), (id) => id.slice(0, id.indexOf("_")));
  const names: Record<string, string> = {};
  for (const [kind, { table, name }] of Object.entries(NAMED)) {
    const wanted = ids.get(kind) ?? [];
    if (wanted.length === 0) continue;
    const { rows } = await sql<Row>`
      select id, ${sql.ref(name)} as name from ${sql.table(table)}
      where org_id = ${orgId} and id in (${sql.join(wanted)})`.execute(db);
    for (const row of rows) if (row.name !== "") names[row.id] = row.name;
    const gone = kind === "agt" ? wanted.filter((id) => names[id] === undefined) : [];
    for (const row of gone.length === 0 ? [] : await lastNames(db, orgId, gone)) names[row.id] = row.name;
  }
  return names;
}

/** What deleted agents were called at last: their versions outlive them. */
function lastNames(db: Database["db"], orgId: string, agentIds: readonly string[]): Promise<Row[]> {
  return db
    .selectFrom("agent_versions")
    .distinctOn("agent_id")
    .select(["agent_id as id", "name"])
    .where("org_id", "=", orgId)
    .where("agent_id", "in", agentIds)
    .orderBy("agent_id")
    .orderBy("version", "desc")
    .execute();
}

function idsOf({ actor_id: actor, details }: Event): string[] {
  return [actor, ...Object.values(details).flat()].filter((value) => typeof value === "string");
}
