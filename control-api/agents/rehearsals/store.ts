import type { RehearsalReport, ReportSummary } from "@parley/shared/contracts/rehearsals.ts";
import type { CallerNoise, RehearsalMode } from "@parley/shared/contracts/spoken-rehearsals.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { holdsAgent, type StoredAgent } from "../agents/store.ts";

type Db = Kysely<Tables>;
type StoredReport = Selectable<Tables["rehearsal_reports"]>;

/** Reports kept per agent; the oldest are dropped. */
const MAX_REPORTS = 100;
/** How many reports back to look for a scenario that the last one skipped. */
const MAX_EARLIER = 20;

const SUMMARY = [
  ...(["id", "agent_id", "agent_version", "of_draft", "is_own"] as const),
  ...(["mode", "state", "error", "passed", "total", "took_ms", "created_by", "created_at"] as const),
] as const;

export interface NewReport extends Omit<RehearsalReport, "createdAt"> {
  readonly orgId: string;
  readonly fingerprint: string;
  readonly at: Date;
}

/**
 * Writes a report; `held`: what of a running one its holder needs. Throws `AppError` not_found for an agent that was
 * deleted while it was rehearsed.
 */
export async function insertReport(trx: Db, report: NewReport, held: ToHold | null = null): Promise<void> {
  const { agentId } = report;
  if (!(await holdsAgent(trx, agentId)))
    throw new AppError("not_found", "The agent was deleted while it was rehearsed.");
  await trx
    .insertInto("rehearsal_reports")
    .values({
      id: report.reportId,
      org_id: report.orgId,
      agent_id: agentId,
      agent_version: report.agentVersion,
      of_draft: report.ofDraft,
      fingerprint: report.fingerprint,
      is_own: report.isOwn,
      mode: report.mode,
      state: report.state,
      error: report.error,
      noise: held && JSON.stringify(held.noise ?? null),
      agent: held && JSON.stringify(held.agent),
      passed: report.passed,
      total: report.total,
      took_ms: report.tookMs,
      scenarios: JSON.stringify(report.scenarios),
      rehearsals: JSON.stringify(report.rehearsals),
      changes: JSON.stringify(report.changes),
      created_by: report.createdBy,
      created_at: report.at,
    })
    .execute();
  await sql`delete from rehearsal_reports where id in (
    select id from rehearsal_reports where agent_id = ${agentId} order by id desc offset ${MAX_REPORTS}
  )`.execute(trx);
}

/** What the holder of a running report needs beside the report. */
export interface ToHold {
  /** Secrets sealed. */
  readonly agent: Pick<StoredAgent, "name" | "version" | "settings" | "sealed">;
  readonly noise: CallerNoise | undefined;
}

interface OfAgent {
  readonly orgId: string;
  readonly agentId: string;
}

const ofAgent = (db: Db, { orgId, agentId }: OfAgent) =>
  db.selectFrom("rehearsal_reports").where("org_id", "=", orgId).where("agent_id", "=", agentId);

/** Reports, newest first. */
export async function listReports(
  db: Db,
  of: OfAgent,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ reports: ReportSummary[]; total: number }> {
  const those = ofAgent(db, of);
  const rows = await those.select(SUMMARY).orderBy("id", "desc").limit(limit).offset(offset).execute();
  const { total } = await those.select(({ fn }) => fn.countAll().as("total")).executeTakeFirstOrThrow();
  return { reports: rows.map(toSummary), total: Number(total) };
}

export async function findReport(
  db: Db,
  of: OfAgent,
  reportId: string,
): Promise<RehearsalReport | undefined> {
  const row = await ofAgent(db, of).selectAll().where("id", "=", reportId).executeTakeFirst();
  return row && toReport(row);
}

/** Whole reports of the same mode for other fingerprints of the agent, newest first. */
export async function earlierReports(
  db: Db,
  of: OfAgent & { readonly mode: RehearsalMode },
  fingerprint: string,
): Promise<readonly RehearsalReport[]> {
  const rows = await ofAgent(db, of)
    .selectAll()
    .where("fingerprint", "<>", fingerprint)
    .where("mode", "=", of.mode)
    .where("state", "=", "done")
    .orderBy("id", "desc")
    .limit(MAX_EARLIER)
    .execute();
  return rows.map(toReport);
}

/** The latest report in text that covers all the agent's own scenarios, for this fingerprint. */
export async function lastOwnReport(
  db: Db,
  of: OfAgent,
  fingerprint: string,
): Promise<RehearsalReport | undefined> {
  const row = await ofAgent(db, of)
    .selectAll()
    .where("fingerprint", "=", fingerprint)
    .where("is_own", "=", true)
    .where("mode", "=", "text")
    .orderBy("id", "desc")
    .executeTakeFirst();
  return row && toReport(row);
}

function toSummary(row: Pick<StoredReport, (typeof SUMMARY)[number]>): ReportSummary {
  return {
    reportId: row.id,
    agentId: row.agent_id,
    agentVersion: row.agent_version,
    ofDraft: row.of_draft,
    isOwn: row.is_own,
    mode: row.mode,
    state: row.state,
    error: row.error,
    passed: row.passed,
    total: row.total,
    tookMs: row.took_ms,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  };
}

/** Reads a whole row. */
export function toReport(row: StoredReport): RehearsalReport {
  const { scenarios, rehearsals, changes } = row;
  return { ...toSummary(row), scenarios, rehearsals, changes };
}
