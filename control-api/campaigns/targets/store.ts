import type { Target, TargetsQuery } from "@parley/shared/contracts/campaigns.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { errorIn } from "../whatsapp/message-error.ts";
import type { NewTarget } from "./read-rows.ts";

type Db = Kysely<Tables>;
const AT_ONCE = 1_000;

/** Returns the numbers that are new to the campaign. */
export async function insertTargets(
  trx: Db,
  targets: readonly NewTarget[],
  { campaignId, orgId, at }: { readonly campaignId: string; readonly orgId: string; readonly at: Date },
): Promise<Set<string>> {
  const added = new Set<string>();
  for (let i = 0; i < targets.length; i += AT_ONCE) {
    const rows = targets.slice(i, i + AT_ONCE).map(({ phone, zone, variables }) => ({
      ...{ id: newId("tgt"), campaign_id: campaignId, org_id: orgId, phone, zone },
      ...{ variables: JSON.stringify(variables), due_at: at, created_at: at },
    }));
    const inserted = await trx
      .insertInto("campaign_targets")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning("phone")
      .execute();
    for (const { phone } of inserted) added.add(phone);
  }
  return added;
}

/** Lists targets in the order they were added. */
export async function listTargets(
  db: Db,
  campaignId: string,
  { state, outcome, after, limit }: TargetsQuery,
): Promise<Target[]> {
  let rows = shown(db).where("campaign_id", "=", campaignId).orderBy("arrived").limit(limit);
  if (state !== undefined) rows = rows.where("state", "=", state);
  if (outcome !== undefined) rows = rows.where("outcome", "=", outcome);
  if (after !== undefined)
    rows = rows.where(
      sql<boolean>`arrived > (select arrived from campaign_targets where campaign_id = ${campaignId} and id = ${after})`,
    );
  return (await rows.execute()).map(toTarget);
}

/** Removes a waiting target. Throws `AppError` not_found, conflict (they are being called, or were). */
export async function removeTarget(trx: Db, campaignId: string, id: string): Promise<Target> {
  const target = shown(trx).where("campaign_id", "=", campaignId).where("id", "=", id);
  const row = await target.executeTakeFirst();
  if (!row) throw new AppError("not_found", `There is no target ${id} in this campaign.`);
  const removed = await trx
    .updateTable("campaign_targets")
    .set({ state: "done", outcome: "removed" })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  if (removed.numUpdatedRows === 0n)
    throw new AppError("conflict", "Only a target that has not been called yet can be removed.");
  return toTarget(await target.executeTakeFirstOrThrow());
}

function shown(db: Db) {
  return db
    .selectFrom("campaign_targets")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("campaign_attempts as a")
          .leftJoin("messaging_messages as m", "m.id", "a.message_id")
          .select(["a.session_id", "a.error", "m.status as message_status", "m.thread_id"])
          .select("m.errors as message_errors")
          .whereRef("a.target_id", "=", "campaign_targets.id")
          .orderBy("a.number", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .selectAll("campaign_targets")
    .select([
      "last.session_id",
      "last.error",
      "last.message_status",
      "last.message_errors",
      "last.thread_id",
    ]);
}

function toTarget(row: Awaited<ReturnType<ReturnType<typeof shown>["execute"]>>[number]): Target {
  return {
    id: row.id,
    phone: row.phone,
    variables: row.variables,
    zone: row.zone.replace(/^country:/, ""),
    state: row.state,
    outcome: row.outcome,
    attempts: row.attempts,
    dueAt: row.due_at.toISOString(),
    sessionId: row.session_id,
    // Messages may fail after they were accepted.
    error: row.error ?? errorIn(row.message_errors),
    messageStatus: row.message_status,
    threadId: row.thread_id,
  };
}
