import type { Kysely } from "kysely";
import type { Database } from "../../../database/open.ts";
import type { Tables } from "../../../database/tables.ts";

/** A connection to a tool server, with the state of its access. */
export interface StoredMcpConnection {
  readonly id: string;
  readonly orgId: string;
  readonly url: string;
  readonly label: string;
  readonly wantedScope: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Null: the sign-in was never completed. */
  readonly grantStatus: "active" | "error" | null;
  readonly lastError: string | null;
  /** The time of the first sign-in. */
  readonly grantedAt: Date | null;
}

export async function insertMcpConnection(
  { db }: Database,
  connection: Pick<StoredMcpConnection, "id" | "orgId" | "url" | "label" | "createdBy" | "createdAt">,
): Promise<void> {
  await db
    .insertInto("mcp_connections")
    .values({
      id: connection.id,
      org_id: connection.orgId,
      url: connection.url,
      label: connection.label,
      wanted_scope: null,
      created_by: connection.createdBy,
      created_at: connection.createdAt,
    })
    .execute();
}

/** Connections, oldest first. */
export function listMcpConnections({ db }: Database, orgId: string): Promise<StoredMcpConnection[]> {
  return select(db).where("c.org_id", "=", orgId).orderBy("c.id").execute();
}

export function findMcpConnection(
  { db }: Database,
  orgId: string,
  id: string,
): Promise<StoredMcpConnection | undefined> {
  return select(db).where("c.org_id", "=", orgId).where("c.id", "=", id).executeTakeFirst();
}

export async function setWantedScope(
  { db }: Database,
  { orgId, id, scope }: { readonly orgId: string; readonly id: string; readonly scope: string | null },
): Promise<void> {
  await db
    .updateTable("mcp_connections")
    .set({ wanted_scope: scope })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .execute();
}

export async function deleteMcpConnection(db: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("mcp_connections")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

function select(db: Database["db"]) {
  return db
    .selectFrom("mcp_connections as c")
    .leftJoin("oauth_grants as g", (join) =>
      join.onRef("g.id", "=", "c.id").onRef("g.org_id", "=", "c.org_id"),
    )
    .select([
      "c.id",
      "c.org_id as orgId",
      "c.url",
      "c.label",
      "c.wanted_scope as wantedScope",
      "c.created_by as createdBy",
      "c.created_at as createdAt",
      "g.status as grantStatus",
      "g.last_error as lastError",
      "g.created_at as grantedAt",
    ]);
}
