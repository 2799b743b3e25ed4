import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** Names of the agents that have a tool which is pinned to a connection, in the order of the alphabet. */
export async function agentsUsing(
  trx: Kysely<Tables>,
  { orgId, connectionId }: { readonly orgId: string; readonly connectionId: string },
): Promise<string[]> {
  const pinned = JSON.stringify({ brain: { tools: [{ connectionId }] } });
  const agents = await trx
    .selectFrom("agents")
    .select("name")
    .where("org_id", "=", orgId)
    .where(sql<boolean>`settings @> ${pinned}::jsonb`)
    .orderBy("name")
    .execute();
  return agents.map(({ name }) => name);
}
