import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { EraseContent, ForgetPeople, KnownPeople, PersonalData } from "../../modules/module.ts";

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

/** People on campaign lists who were not reached. A target being dialed stays, as a live call does. */
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
  forget: async (trx, { orgId, identifier }) => {
    const rows = await trx
      .selectFrom("campaign_targets")
      .select(["id", "state"])
      .where("org_id", "=", orgId)
      .where("phone", "=", identifier)
      .orderBy("id")
      .forUpdate()
      .execute();
    const over = rows.filter(({ state }) => state !== "calling").map(({ id }) => id);
    if (over.length > 0) await forgetRows(trx, over);
    return { gone: over.length, inUse: rows.length - over.length };
  },
};

async function forgetRows(trx: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable("campaign_targets")
    .set({
      phone: sql`'erased ' || id`,
      variables: "{}",
      outcome: sql`case state when 'waiting' then 'removed' else outcome end`,
      state: "done",
    })
    .where("id", "in", ids)
    .execute();
}
