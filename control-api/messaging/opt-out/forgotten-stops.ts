import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { digestsOf, knownDigestsOf } from "../../sealed/digests.ts";

type Trx = Kysely<Tables>;

interface Contact {
  readonly orgId: string;
  readonly channelId: string;
  readonly addresses: readonly string[];
}

/**
 * Keeps that a contact who is about to be erased wanted no more messages, as digests of their addresses
 * (docs/decisions/messaging.md#choices-outlive-erasure).
 */
export async function keepStop(
  trx: Trx,
  { orgId, channelId, addresses, phone, at }: Contact & { readonly phone: string | null; readonly at: Date },
  secrets: SecretBox,
): Promise<void> {
  if (addresses.length === 0) return;
  const digests = await digestsOf(trx, { orgId, texts: addresses }, secrets);
  const about = { channel_id: channelId, org_id: orgId, asked_at: at };
  const number_digest = phone === null ? null : (digests.get(phone) ?? null);
  await trx
    .insertInto("forgotten_stops")
    .values([...digests.values()].toSorted().map((digest) => ({ ...about, digest, number_digest })))
    .onConflict((conflict) =>
      conflict.columns(["channel_id", "digest"]).doUpdateSet({
        asked_at: sql`greatest(forgotten_stops.asked_at, excluded.asked_at)`,
        number_digest: sql`coalesce(excluded.number_digest, forgotten_stops.number_digest)`,
      }),
    )
    .execute();
}

/**
 * When a contact with one of these addresses, who was erased since, wanted no more messages. It stays until they want them
 * again, as their other address may not be known yet.
 */
export async function recallStop(
  trx: Trx,
  { orgId, channelId, addresses }: Contact,
  secrets: SecretBox,
): Promise<Date | undefined> {
  const digests = await knownDigestsOf(trx, { orgId, texts: addresses }, secrets);
  if (digests.size === 0) return undefined;
  const last = await trx
    .selectFrom("forgotten_stops")
    .select("asked_at")
    .where("channel_id", "=", channelId)
    .where("digest", "in", [...digests.values()])
    .orderBy("asked_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.asked_at;
}

/** Drops it: they want messages again. Absent `channelId`: on all channels. */
export async function dropForgottenStops(
  trx: Trx,
  { orgId, channelId, addresses }: Omit<Contact, "channelId"> & { readonly channelId?: string },
  secrets: SecretBox,
): Promise<void> {
  const digests = [...(await knownDigestsOf(trx, { orgId, texts: addresses }, secrets)).values()];
  if (digests.length === 0) return;
  const here = channelId === undefined ? sql<boolean>`true` : sql<boolean>`channel_id = ${channelId}`;
  const theirs = await trx
    .selectFrom("forgotten_stops")
    .select("number_digest")
    .where("org_id", "=", orgId)
    .where(here)
    .where("digest", "in", digests)
    .execute();
  const all = [...digests, ...theirs.flatMap(({ number_digest: digest }) => digest ?? [])];
  await trx
    .deleteFrom("forgotten_stops")
    .where("org_id", "=", orgId)
    .where(here)
    .where((is) => is.or([is("digest", "in", all), is("number_digest", "in", all)]))
    .execute();
}
