import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type {
  EraseContent,
  ForgetPeople,
  KnownPeople,
  OrgPerson,
  PersonalData,
} from "../../modules/module.ts";

/** Erases what was known of called people; keeps the number, which says whom not to call again. */
export const eraseTargets: EraseContent = async (trx, { sessionIds }) => {
  await trx
    .updateTable("campaign_targets")
    .set({ variables: "{}" })
    .where("state", "=", "done")
    .where("id", "in", (from) =>
      from
        .selectFrom("campaign_attempts")
        .select("target_id")
        .where("session_id", "in", [...sessionIds]),
    )
    .execute();
};

/** People campaigns called in these sessions, and their variables. */
export const CALLED: PersonalData = {
  name: "campaign-targets",
  tables: ["campaign_targets", "campaign_attempts"],
  read: (db, { orgId, sessionIds }) =>
    db
      .selectFrom("campaign_attempts as a")
      .innerJoin("campaign_targets as t", "t.id", "a.target_id")
      .select(["a.session_id as sessionId", "t.phone", "t.variables", "a.outcome", "a.dialed_at as dialedAt"])
      .where("a.org_id", "=", orgId)
      .where("a.session_id", "in", [...sessionIds])
      .orderBy("a.dialed_at")
      .execute(),
};

/** Also erases the numbers of people to be forgotten; opt-outs stay on the do-not-call list. */
export const forgetTargets: ForgetPeople = async (trx, { orgId, sessionIds }) => {
  await trx
    .updateTable("campaign_targets")
    .set({ phone: sql`'erased ' || id` })
    .where("org_id", "=", orgId)
    .where("state", "=", "done")
    .where("id", "in", (from) =>
      from
        .selectFrom("campaign_attempts")
        .select("target_id")
        .where("session_id", "in", [...sessionIds]),
    )
    .execute();
};

/**
 * People on campaign lists who were not reached. Whoever is being called, or written to, is struck from the list when
 * that is over, and not called again.
 */
export const LISTED: KnownPeople = {
  name: "campaign-lists",
  read: (db, { orgId, identifier }) =>
    db
      .selectFrom("campaign_targets as t")
      .select(["t.campaign_id as campaignId", "t.phone", "t.variables", "t.state", "t.outcome"])
      .where("t.org_id", "=", orgId)
      .where("t.phone", "=", identifier)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("campaign_attempts as a")
              .select("a.id")
              .whereRef("a.target_id", "=", "t.id")
              .where("a.session_id", "is not", null),
          ),
        ),
      )
      .orderBy("t.arrived")
      .execute(),
  lock: lockTargets,
  forget: async (trx, person) => {
    await voidUndialed(trx, person);
    const rows = await lockRows(trx, person);
    const busy = await openAttemptsOf(trx, rows);
    const over = rows.map(({ id }) => id).filter((id) => !busy.has(id));
    if (over.length > 0) await forgetRows(trx, over);
    if (busy.size > 0) await leaveOut(trx, [...busy]);
    return { gone: over.length, inUse: busy.size };
  },
};

/** As campaigns do: attempts, then targets, then the conversations that they write in. */
async function lockTargets(trx: Kysely<Tables>, person: OrgPerson): Promise<void> {
  await lockUndialed(trx, person);
  await lockRows(trx, person);
}

function lockRows(trx: Kysely<Tables>, { orgId, identifier }: OrgPerson) {
  return trx
    .selectFrom("campaign_targets")
    .select(["id", "state"])
    .where("org_id", "=", orgId)
    .where("phone", "=", identifier)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Attempts name their call before they dial: without it, nobody dials any more once the attempt is gone. */
async function voidUndialed(trx: Kysely<Tables>, person: OrgPerson): Promise<void> {
  const ids = await lockUndialed(trx, person);
  if (ids.length > 0) await trx.deleteFrom("campaign_attempts").where("id", "in", ids).execute();
}

async function lockUndialed(trx: Kysely<Tables>, { orgId, identifier }: OrgPerson): Promise<string[]> {
  const rows = await trx
    .selectFrom("campaign_attempts")
    .select("id")
    .where("org_id", "=", orgId)
    .where("settled_at", "is", null)
    .where("session_id", "is", null)
    .where("message_id", "is", null)
    .where("target_id", "in", (from) =>
      from
        .selectFrom("campaign_targets")
        .select("id")
        .where("org_id", "=", orgId)
        .where("phone", "=", identifier)
        .where("state", "=", "calling"),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

async function openAttemptsOf(trx: Kysely<Tables>, targets: readonly { id: string }[]): Promise<Set<string>> {
  if (targets.length === 0) return new Set();
  const open = await trx
    .selectFrom("campaign_attempts")
    .select("target_id")
    .where(
      "target_id",
      "in",
      targets.map(({ id }) => id),
    )
    .where("settled_at", "is", null)
    .execute();
  return new Set(open.map(({ target_id }) => target_id));
}

/** `settleAttempt` finds the mark. */
async function leaveOut(trx: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await trx.updateTable("campaign_targets").set({ outcome: "removed" }).where("id", "in", ids).execute();
}

/** Deletes who these targets were; those who waited are left out. */
export async function forgetRows(trx: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable("campaign_targets")
    .set({
      phone: sql`'erased ' || id`,
      variables: "{}",
      outcome: sql`case state when 'done' then outcome else 'removed' end`,
      state: "done",
    })
    .where("id", "in", ids)
    .execute();
}
