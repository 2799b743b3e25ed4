import { sql } from "kysely";
import type { EraseContent, ForgetPeople, PersonalData } from "../../modules/module.ts";

/** What was known of whoever was called goes with what they said; the number stays, for it says whom not to call again. */
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

/** Whom campaigns called in these sessions, and what they knew of them. */
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

/** The number goes, too, when the person is to be forgotten; who asked not to be called stays on that list. */
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
