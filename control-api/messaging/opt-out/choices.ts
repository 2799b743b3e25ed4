import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Wish } from "./words.ts";

/** A contact of a channel, as its conversation names them. */
export type Whose = Pick<
  Selectable<Tables["messaging_threads"]>,
  "channel_id" | "contact_phone" | "contact_user_id"
>;

export interface Choice {
  readonly channelId: string;
  readonly orgId: string;
  /** The contact's number and user id, and those of their conversations. */
  readonly addresses: readonly string[];
  /** The digest of the number that an erased contact had. */
  readonly numberDigest?: string | undefined;
  readonly wish: Wish;
  /** When the contact chose so. */
  readonly at: Date;
}

/** Keeps what a contact chose about marketing messages. Returns false if they have chosen since, or it is known. */
export async function keepChoice(
  trx: Kysely<Tables>,
  { channelId, orgId, addresses, numberDigest, wish, at }: Choice,
): Promise<boolean> {
  if (addresses.length === 0) return false;
  const about = { org_id: orgId, number_digest: numberDigest ?? null, wish, chosen_at: at };
  // In one order, so that two choices of one contact wait for each other.
  const rows = addresses.toSorted().map((address) => ({ channel_id: channelId, address, ...about }));
  const kept = await trx
    .insertInto("messaging_choices")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["channel_id", "address"])
        .doUpdateSet({ wish, chosen_at: at })
        .where("messaging_choices.chosen_at", "<", at),
    )
    .returning("address")
    .execute();
  // They may have chosen since under another address: the newest of all counts.
  return kept.length === rows.length;
}

/** Whether the contact last chose no marketing messages of this channel. */
export async function isMarketingStopped(db: Kysely<Tables>, whose: Whose): Promise<boolean> {
  return (await findLastChoice(db, whose.channel_id, addressesOf(whose)))?.wish === "out";
}

/** What whoever has these addresses last chose about marketing messages of this channel; undefined if nothing. */
export async function findLastChoice(
  db: Kysely<Tables>,
  channelId: string,
  addresses: readonly string[],
): Promise<{ readonly wish: Wish; readonly chosenAt: Date } | undefined> {
  if (addresses.length === 0) return undefined;
  return db
    .selectFrom("messaging_choices")
    .select(["wish", "chosen_at as chosenAt"])
    .where("channel_id", "=", channelId)
    .where("address", "in", addresses)
    .orderBy("chosen_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** What a contact is known by. */
export function addressesOf({
  contact_phone: phone,
  contact_user_id: userId,
}: Omit<Whose, "channel_id">): string[] {
  return [phone, userId].filter((address) => address !== null);
}

/** As `isMarketingStopped`, of each row of `messaging_threads` in a query. */
export const marketingStopped = sql<boolean>`coalesce((select c.wish = 'out' from messaging_choices c
  where c.channel_id = messaging_threads.channel_id
  and c.address in (messaging_threads.contact_phone, messaging_threads.contact_user_id)
  order by c.chosen_at desc limit 1), false)`;

/** Which of these numbers are stopped on any channel of the organization. */
export async function stoppedAmong(
  db: Kysely<Tables>,
  orgId: string,
  numbers: readonly string[],
): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await db
    .selectFrom("messaging_choices")
    .select("address")
    .where("org_id", "=", orgId)
    .where("wish", "=", "out")
    .where("address", "in", [...numbers])
    .execute();
  return new Set(rows.map(({ address }) => address));
}
