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
  "managed",
] as const;

/** A sender, as its provider knows it. */
interface SenderOf {
  readonly provider: ChannelRow["provider"];
  readonly account: string;
}

const channelsOf = (db: Db, { provider, account }: SenderOf) =>
  db
    .selectFrom("messaging_channels")
    .select(COLUMNS)
    .where("provider", "=", provider)
    .where("account", "=", account);

/** Finds an organization's channel by its sender. */
export function findSender(
  db: Db,
  { orgId, ...sender }: SenderOf & { readonly orgId: string },
): Promise<ChannelRow | undefined> {
  return channelsOf(db, sender).where("org_id", "=", orgId).executeTakeFirst();
}

/** Finds the operator's channel of a number, whichever organization has it. */
export function findManagedSender(db: Db, sender: SenderOf): Promise<ChannelRow | undefined> {
  return channelsOf(db, sender).where("managed", "=", true).executeTakeFirst();
}

/** The operator's channels in one business account. */
export function listManagedIn(db: Db, businessAccount: string): Promise<ChannelRow[]> {
  return db
    .selectFrom("messaging_channels")
    .select(COLUMNS)
    .where("managed", "=", true)
    .where("business_account", "=", businessAccount)
    .orderBy("id")
    .execute();
}

/** The number that events name: of a channel that the organization brought along, none. */
export function toldPhone({ managed, phone }: Pick<ChannelRow, "managed" | "phone">): string | null {
  return managed ? phone : null;
}

/** Channels of one provider, oldest first. */
export function listChannels(db: Db, orgId: string, provider: ChannelRow["provider"]): Promise<ChannelRow[]> {
  return db
    .selectFrom("messaging_channels")
    .select(COLUMNS)
    .where("org_id", "=", orgId)
    .where("provider", "=", provider)
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

/** Finds a channel of this provider only. Throws `AppError` not_found. */
export async function findOwnChannel(
  db: Db,
  {
    orgId,
    provider,
    id,
  }: { readonly orgId: string; readonly provider: ChannelRow["provider"]; readonly id: string },
): Promise<ChannelRow> {
  const row = await findChannel(db, orgId, id);
  if (row.provider === provider) return row;
  throw new AppError("not_found", `There is no channel ${id} in this organization.`);
}

/** Settings, and the provider's data about the sender. */
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
