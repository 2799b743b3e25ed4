import type { RehearsalReport, ReportSummary } from "@parley/shared/contracts/rehearsals.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;
type StoredReport = Selectable<Tables["rehearsal_reports"]>;

/** More of one agent are not kept: the oldest go. */
const MAX_REPORTS = 100;
/** So far back a scenario is looked for that was not held the last time. */
const MAX_EARLIER = 20;

const SUMMARY = [
  ...(["id", "agent_id", "agent_version", "of_draft", "is_own"] as const),
  ...(["passed", "total", "took_ms", "created_by", "created_at"] as const),
] as const;

export interface NewReport extends Omit<RehearsalReport, "createdAt"> {
  readonly orgId: string;
  readonly fingerprint: string;
  readonly at: Date;
}

export async function insertReport(db: Db, report: NewReport): Promise<void> {
  const { agentId } = report;
  await db
    .insertInto("rehearsal_reports")
    .values({
      id: report.reportId,
      org_id: report.orgId,
      agent_id: agentId,
      agent_version: report.agentVersion,
      of_draft: report.ofDraft,
      fingerprint: report.fingerprint,
      is_own: report.isOwn,
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
  )`.execute(db);
}

interface OfAgent {
  readonly orgId: string;
  readonly agentId: string;
}

const ofAgent = (db: Db, { orgId, agentId }: OfAgent) =>
  db.selectFrom("rehearsal_reports").where("org_id", "=", orgId).where("agent_id", "=", agentId);

/** The newest first. */
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

/** Of the agent as it was before it was this, the newest first. */
export async function earlierReports(
  db: Db,
  of: OfAgent,
  fingerprint: string,
): Promise<readonly RehearsalReport[]> {
  const rows = await ofAgent(db, of)
    .selectAll()
    .where("fingerprint", "<>", fingerprint)
    .orderBy("id", "desc")
    .limit(MAX_EARLIER)
    .execute();
  return rows.map(toReport);
}

/** The last one of all the agent's own scenarios, with the agent as it is by this fingerprint. */
export async function lastOwnReport(
  db: Db,
  of: OfAgent,
  fingerprint: string,
): Promise<RehearsalReport | undefined> {
  const row = await ofAgent(db, of)
    .selectAll()
    .where("fingerprint", "=", fingerprint)
    .where("is_own", "=", true)
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
    passed: row.passed,
    total: row.total,
    tookMs: row.took_ms,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  };
}

function toReport(row: StoredReport): RehearsalReport {
  const { scenarios, rehearsals, changes } = row;
  return { ...toSummary(row), scenarios, rehearsals, changes };
}
