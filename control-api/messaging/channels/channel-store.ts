import { AppError } from "@parley/shared/errors.ts";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../../database/tables.ts";

export type ChannelRow = Omit<Selectable<Tables["messaging_channels"]>, "credentials_sealed">;
type Db = Kysely<Tables>;

const COLUMNS = [
  "id",
  "org_id",
  "provider",
  "account",
  "version",
  "created_by",
  "created_at",
  "updated_at",
  "name",
  "agent_id",
  "phone",
  "verified_name",
  "business_account",
  "quality",
  "last_error",
  "health",
  "checked_at",
] as const;

/** The channel of an organization that has this sender. */
export function findSender(
  db: Db,
  { orgId, provider, account }: { orgId: string; provider: ChannelRow["provider"]; account: string },
): Promise<ChannelRow | undefined> {
  return db
    .selectFrom("messaging_channels")
    .select(COLUMNS)
    .where("org_id", "=", orgId)
    .where("provider", "=", provider)
    .where("account", "=", account)
    .executeTakeFirst();
}

/** The oldest first. */
export function listChannels(db: Db, orgId: string): Promise<ChannelRow[]> {
  return db
    .selectFrom("messaging_channels")
    .select(COLUMNS)
    .where("org_id", "=", orgId)
    .orderBy("id")
    .execute();
}

/** Throws `AppError` not_found. */
export async function findChannel(db: Db, orgId: string, id: string): Promise<ChannelRow> {
  const row = await db
    .selectFrom("messaging_channels")
    .select(COLUMNS)
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row) return row;
  throw new AppError("not_found", `There is no channel ${id} in this organization.`);
}

/** What people set, and what WhatsApp says of the sender. */
export type ChannelChange = Partial<
  Pick<
    ChannelRow,
    | "name"
    | "agent_id"
    | "phone"
    | "verified_name"
    | "business_account"
    | "quality"
    | "last_error"
    | "checked_at"
  >
>;

export async function updateChannel(db: Db, id: string, change: ChannelChange): Promise<void> {
  await db.updateTable("messaging_channels").set(change).where("id", "=", id).execute();
}
