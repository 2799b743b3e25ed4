import type { Rehearsal, RehearsalReport } from "@parley/shared/contracts/rehearsals.ts";
import type { CallerNoise } from "@parley/shared/contracts/spoken-rehearsals.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { findAgent, type StoredAgent } from "../agents/store.ts";
import { toReport } from "./store.ts";

type Db = Kysely<Tables>;

/** A report whose rehearsals are still to be held, or being held. */
export interface RunningReport {
  readonly report: RehearsalReport;
  readonly fingerprint: string;
  /** The agent as it was when the report was asked for. */
  readonly agent: StoredAgent;
  readonly noise: CallerNoise | undefined;
}

/** Returns undefined once the report is over, or its agent is gone. */
export async function findRunning(
  database: Pick<Database, "db">,
  reportId: string,
): Promise<RunningReport | undefined> {
  const row = await database.db
    .selectFrom("rehearsal_reports")
    .selectAll()
    .where("id", "=", reportId)
    .where("state", "=", "running")
    .executeTakeFirst();
  if (!row?.agent) return undefined;
  const agent = await findAgent(database, row.org_id, row.agent_id);
  if (!agent) return undefined;
  const { fingerprint, noise } = row;
  return {
    report: toReport(row),
    fingerprint,
    agent: { ...agent, ...row.agent },
    noise: noise ?? undefined,
  };
}

/** Shows what was held so far, in the order of the scenarios. */
export async function noteHeld(db: Db, reportId: string, held: readonly Rehearsal[]): Promise<void> {
  await db
    .updateTable("rehearsal_reports")
    .set({ rehearsals: JSON.stringify(held), passed: held.filter(({ passed }) => passed).length })
    .where("id", "=", reportId)
    .where("state", "=", "running")
    .execute();
}

/** Ends a report: with what changed, or with why it stays unfinished. */
export async function endReport(
  db: Db,
  reportId: string,
  end: Pick<RehearsalReport, "error" | "changes" | "tookMs">,
): Promise<void> {
  const { error, changes, tookMs } = end;
  await db
    .updateTable("rehearsal_reports")
    .set({
      ...{ state: error === null ? "done" : "failed", error, took_ms: tookMs },
      ...{ changes: JSON.stringify(changes), agent: null, noise: null },
    })
    .where("id", "=", reportId)
    .where("state", "=", "running")
    .execute();
}
