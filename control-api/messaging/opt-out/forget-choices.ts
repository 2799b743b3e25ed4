import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { KnownPeople, OrgPerson } from "../../modules/module.ts";
import { DIGEST_MARK, digestsOf, knownDigestsOf } from "../../sealed/digests.ts";
import { addressesOf, keepChoice, type Whose } from "./choices.ts";
import { dropForgottenStops, keepStop, recallStop } from "./forgotten-stops.ts";

type Trx = Kysely<Tables>;
/** A conversation about to be deleted. */
type Ending = Known & Pick<Selectable<Tables["messaging_threads"]>, "opted_out_at">;
type Known = Whose & Pick<Selectable<Tables["messaging_threads"]>, "org_id">;

/**
 * A person's choices about messages, found by number or user id. Lists all of them; forgets only those without a
 * conversation, as the others are forgotten with it.
 */
export function choicesAlone(secrets: SecretBox): KnownPeople {
  return {
    name: "message-choices",
    read: (db, person) =>
      chosenBy(db, person).select(["address", "wish", "chosen_at as chosenAt"]).orderBy("address").execute(),
    forget: async (trx, person) => {
      const alone = await chosenBy(trx, person)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("messaging_threads as t")
                .select("t.id")
                .whereRef("t.channel_id", "=", "messaging_choices.channel_id")
                .where((is) =>
                  is.or([
                    is("t.contact_phone", "=", person.identifier),
                    is("t.contact_user_id", "=", person.identifier),
                  ]),
                ),
            ),
          ),
        )
        .select("channel_id")
        .execute();
      for (const { channel_id: channelId } of alone)
        await digestChoices(trx, { orgId: person.orgId, channelId, addresses: [person.identifier] }, secrets);
      return { gone: alone.length, inUse: 0 };
    },
  };
}

function chosenBy(db: Trx, { orgId, identifier }: OrgPerson) {
  return db
    .selectFrom("messaging_choices")
    .where("org_id", "=", orgId)
    .where("address", "=", identifier)
    .where("address", "not like", `${DIGEST_MARK}%`);
}

/**
 * Forgets what the contacts of conversations chose, as these are deleted. That somebody wants no messages outlives them,
 * as a digest of their address (docs/decisions/messaging.md#choices-outlive-erasure).
 */
export async function forgetChoicesOf(
  trx: Trx,
  threads: readonly Ending[],
  secrets: SecretBox,
): Promise<void> {
  for (const thread of threads) {
    const { org_id: orgId, channel_id: channelId, opted_out_at: at } = thread;
    const { contact_phone: phone } = thread;
    const addresses = addressesOf(thread);
    if (at !== null) await keepStop(trx, { orgId, channelId, addresses, phone, at }, secrets);
    await digestChoices(trx, { orgId, channelId, addresses, phone }, secrets);
  }
}

interface Addressed {
  readonly orgId: string;
  readonly channelId: string;
  readonly addresses: readonly string[];
  readonly phone?: string | null;
}

async function digestChoices(
  trx: Trx,
  { orgId, channelId, addresses, phone }: Addressed,
  secrets: SecretBox,
): Promise<void> {
  if (addresses.length === 0) return;
  const chosen = await trx
    .deleteFrom("messaging_choices")
    .where("channel_id", "=", channelId)
    .where("address", "in", [...addresses])
    .returning(["address", "wish", "chosen_at"])
    .execute();
  // The newest of all counts, and who takes messages is like everybody else.
  const last = chosen.toSorted((a, b) => b.chosen_at.getTime() - a.chosen_at.getTime())[0];
  if (last?.wish !== "out") return;
  const digests = await digestsOf(trx, { orgId, texts: addresses }, secrets);
  await keepChoice(trx, {
    ...{ orgId, channelId, addresses: [...digests.values()], wish: "out", at: last.chosen_at },
    numberDigest: phone ? digests.get(phone) : undefined,
  });
}

/**
 * Recognizes a contact who was erased, whose number or user id has become known again. Returns when they had asked for no
 * more messages, which the conversation then says.
 */
export async function recallChoices(
  trx: Trx,
  thread: Known & Pick<Selectable<Tables["messaging_threads"]>, "id">,
  secrets: SecretBox,
): Promise<Date | undefined> {
  const { org_id: orgId, channel_id: channelId } = thread;
  const addresses = addressesOf(thread);
  const digests = await knownDigestsOf(trx, { orgId, texts: addresses }, secrets);
  if (digests.size === 0) return undefined;
  const stoppedAt = await recallStop(trx, { orgId, channelId, addresses }, secrets);
  if (stoppedAt)
    await trx
      .updateTable("messaging_threads")
      .set({ opted_out_at: stoppedAt })
      .where("id", "=", thread.id)
      .where("opted_out_at", "is", null)
      .execute();
  const kept = await trx
    .deleteFrom("messaging_choices")
    .where("channel_id", "=", channelId)
    .where("address", "in", [...digests.values()])
    .returning(["wish", "chosen_at"])
    .execute();
  for (const { wish, chosen_at: at } of kept)
    await keepChoice(trx, { orgId, channelId, addresses, wish, at });
  return stoppedAt;
}

/** Drops what is remembered of a number after its erasure, on all channels: its owner takes messages again. */
export async function dropForgotten(
  db: Trx,
  { orgId, address }: { readonly orgId: string; readonly address: string },
  secrets: SecretBox,
): Promise<void> {
  const digest = (await knownDigestsOf(db, { orgId, texts: [address] }, secrets)).get(address);
  if (digest === undefined) return;
  await dropForgottenStops(db, { orgId, addresses: [address] }, secrets);
  await db
    .deleteFrom("messaging_choices")
    .where("org_id", "=", orgId)
    .where((is) => is.or([is("address", "=", digest), is("number_digest", "=", digest)]))
    .execute();
}
