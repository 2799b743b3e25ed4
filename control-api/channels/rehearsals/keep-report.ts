import type { RehearsalReport, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import type { CallerNoise } from "@parley/shared/contracts/spoken-rehearsals.ts";
import { newId } from "@parley/shared/ids.ts";
import type { StoredAgent } from "../../agents/agents/store.ts";
import { changesSince } from "../../agents/rehearsals/changes.ts";
import { fingerprintOf } from "../../agents/rehearsals/fingerprint.ts";
import { earlierReports, insertReport } from "../../agents/rehearsals/store.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { HOLD_SPOKEN } from "./spoken/job.ts";

/** What was asked for. */
export type AskedReport = Pick<
  RehearsalReport,
  "agentId" | "agentVersion" | "ofDraft" | "isOwn" | "mode" | "createdBy"
> & { readonly scenarios: readonly Scenario[] };

/** Stores a report that is complete, with the changes since the agent's previous configuration. Throws what `insertReport` does. */
export async function kept(
  held: AskedReport & Pick<RehearsalReport, "tookMs" | "rehearsals">,
  { id: agentId, org_id: orgId, settings }: StoredAgent,
  { database, clock }: ChatDeps,
): Promise<RehearsalReport> {
  const fingerprint = fingerprintOf(settings);
  const { rehearsals, mode } = held;
  const earlier = await earlierReports(database.db, { orgId, agentId, mode }, fingerprint);
  const at = new Date(clock.wallMs());
  const report = {
    ...held,
    scenarios: [...held.scenarios],
    reportId: newId("rhs"),
    ...{ state: "done" as const, error: null },
    passed: rehearsals.filter(({ passed }) => passed).length,
    total: rehearsals.length,
    changes: changesSince(rehearsals, earlier),
  };
  await database.db.transaction().execute((trx) => insertReport(trx, { ...report, orgId, fingerprint, at }));
  return { ...report, createdAt: at.toISOString() };
}

/** Stores a report whose rehearsals a job holds, with the agent as it is now. */
export async function begunSpoken(
  asked: AskedReport,
  { agent, noise }: { readonly agent: StoredAgent; readonly noise: CallerNoise | undefined },
  { database, clock, queue }: ChatDeps & { readonly queue: JobQueue },
): Promise<RehearsalReport> {
  const { id: agentId, org_id: orgId, name, version, settings, sealed } = agent;
  const at = new Date(clock.wallMs());
  const report = {
    ...asked,
    scenarios: [...asked.scenarios],
    reportId: newId("rhs"),
    ...{ state: "running" as const, error: null, passed: 0, total: asked.scenarios.length },
    ...{ tookMs: 0, rehearsals: [], changes: [] },
  };
  const fingerprint = fingerprintOf(settings);
  await database.db.transaction().execute(async (trx) => {
    const held = { agent: { name, version, settings, sealed }, noise };
    await insertReport(trx, { ...report, orgId, fingerprint, at }, held);
    // One report of an organization at a time: the next one waits.
    await queue.add(trx, HOLD_SPOKEN, { payload: { reportId: report.reportId }, orgId, key: orgId });
  });
  queue.announce();
  return { ...report, agentId, createdAt: at.toISOString() };
}
