import type { Kysely, Selectable } from "kysely";
import type { OAuthGrantsTable } from "../../database/oauth-tables.ts";
import type { Tables } from "../../database/tables.ts";

export type StoredGrant = Selectable<OAuthGrantsTable>;

export interface GrantRef {
  readonly orgId: string;
  /** The connection's id. */
  readonly id: string;
}

interface GrantState {
  readonly sealed: string;
  readonly expiresAt: Date | null;
  readonly refreshAt: Date | null;
  readonly at: Date;
}

/** Inserts a grant, or replaces it after a new consent: the id stays. */
export async function putGrant(
  db: Kysely<Tables>,
  { orgId, id, sealed, expiresAt, refreshAt, at }: GrantRef & GrantState,
): Promise<void> {
  const state = { sealed, expires_at: expiresAt, refresh_at: refreshAt, updated_at: at };
  await db
    .insertInto("oauth_grants")
    .values({ id, org_id: orgId, status: "active", last_error: null, version: 1, created_at: at, ...state })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ ref, eb }) => ({
        ...state,
        status: "active",
        last_error: null,
        version: eb(ref("oauth_grants.version"), "+", 1),
      })),
    )
    .execute();
}

/** Finds a grant; `lock` locks its row until the transaction ends. */
export function findGrant(
  db: Kysely<Tables>,
  { orgId, id }: GrantRef,
  { lock }: { readonly lock: boolean },
): Promise<StoredGrant | undefined> {
  const found = db.selectFrom("oauth_grants").selectAll().where("org_id", "=", orgId).where("id", "=", id);
  return (lock ? found.forUpdate() : found).executeTakeFirst();
}

/** Stores a renewal, unless a new consent was given meanwhile. */
export async function renewGrant(
  db: Kysely<Tables>,
  { orgId, id, version, sealed, expiresAt, refreshAt, at }: GrantRef & GrantState & { version: number },
): Promise<void> {
  await db
    .updateTable("oauth_grants")
    .set({
      sealed,
      expires_at: expiresAt,
      refresh_at: refreshAt,
      updated_at: at,
      version: version + 1,
    })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("version", "=", version)
    .execute();
}

/** Marks a grant as ended; true only for the first to notice. */
export async function markDead(
  db: Kysely<Tables>,
  { orgId, id, version, lastError, at }: GrantRef & { version: number; lastError: string; at: Date },
): Promise<boolean> {
  const marked = await db
    .updateTable("oauth_grants")
    .set({ status: "error", last_error: lastError, updated_at: at, version: version + 1 })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("version", "=", version)
    .returning("id")
    .executeTakeFirst();
  return marked !== undefined;
}

export function takeGrant(db: Kysely<Tables>, { orgId, id }: GrantRef): Promise<StoredGrant | undefined> {
  return db
    .deleteFrom("oauth_grants")
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}
