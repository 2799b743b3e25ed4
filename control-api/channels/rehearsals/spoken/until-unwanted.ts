import type { Clock } from "@parley/shared/clock.ts";
import { findRunning, type RunningReport } from "../../../agents/rehearsals/running-reports.ts";
import type { Database } from "../../../database/open.ts";
import { WRITERS } from "../../../http/access/rules.ts";
import { roleOfActive } from "../../../identity/memberships/store.ts";

/** As often as streams are looked after (docs/decisions/rest.md#stream-outlives-access-token). */
const LOOK_EVERY_MS = 15_000;
const LEFT = "Whoever asked for these rehearsals may no longer rehearse agents of this organization.";
const GONE = "The agent was deleted.";

/** Why nobody waits for the report any longer; undefined while somebody does. */
export async function unwantedBecause(
  { report, agent }: RunningReport,
  database: Database,
): Promise<string | undefined> {
  const role = await roleOfActive(database.db, { orgId: agent.org_id, userId: report.createdBy });
  if (role === undefined || !WRITERS.includes(role)) return LEFT;
  return (await findRunning(database, report.reportId)) ? undefined : GONE;
}

export interface UntilUnwanted {
  /** Aborts with the reason, a text, once nobody waits for the report any longer. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** Looks again and again whether somebody waits for the report: its calls may take half an hour. */
export function untilUnwanted(
  running: RunningReport,
  { clock, database }: { readonly clock: Clock; readonly database: Database },
): UntilUnwanted {
  const unwanted = new AbortController();
  const look = async (): Promise<void> => {
    const reason = await unwantedBecause(running, database);
    if (reason !== undefined) unwanted.abort(reason);
  };
  // A database that is away says nothing about the right; the next look will.
  const stop = clock.every(LOOK_EVERY_MS, () => void look().catch(() => undefined));
  return { signal: unwanted.signal, stop };
}
