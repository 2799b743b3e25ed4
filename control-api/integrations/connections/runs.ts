import type { ConnectionRun } from "@parley/shared/contracts/integrations.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import type { EraseContent } from "../../modules/module.ts";
import type { IntegrationParts } from "../deps.ts";

const MAX_SHOWN = 20;
const KEEP_MS = 30 * 86_400_000;
/** The id of a call or a chat; a builder's try of a tool has none. */
const CONVERSATION = /^ses_/;

/** One action in an account. */
export interface Run {
  readonly orgId: string;
  readonly connectionId: string;
  readonly capability: string;
  readonly outcome: string;
  readonly tookMs: number;
  readonly sessionId: string | undefined;
}

type Parts = Pick<IntegrationParts, "database" | "clock" | "log">;

/** Records a run in the background once its answer has been sent: the caller waits for that. Never throws. */
export function noteRun(run: Run, parts: Parts): void {
  const at = new Date(parts.clock.wallMs());
  setImmediate(() => void note(run, at, parts));
}

async function note(
  { orgId, connectionId, capability, outcome, tookMs, sessionId = "" }: Run,
  at: Date,
  { database, log }: Parts,
): Promise<void> {
  const values = {
    org_id: orgId,
    connection_id: connectionId,
    capability,
    outcome,
    took_ms: Math.round(tookMs),
    session_id: CONVERSATION.test(sessionId) ? sessionId : null,
    at,
  };
  try {
    await database.db.insertInto("connection_runs").values(values).execute();
  } catch (error) {
    log.warn(
      { event: "connection_run_not_noted", connectionId, err: messageOf(error) },
      "failed to note what was done in a connection",
    );
  }
}

/** Runs, latest first. */
export async function latestRuns(
  { db }: Database,
  { orgId, connectionId }: { readonly orgId: string; readonly connectionId: string },
): Promise<ConnectionRun[]> {
  const rows = await db
    .selectFrom("connection_runs")
    .select(["id", "capability", "outcome", "took_ms", "session_id", "at"])
    .where("org_id", "=", orgId)
    .where("connection_id", "=", connectionId)
    .orderBy("id", "desc")
    .limit(MAX_SHOWN)
    .execute();
  return rows.map(({ id, capability, outcome, took_ms, session_id, at }) => ({
    id: String(id),
    capability,
    outcome,
    tookMs: took_ms,
    sessionId: session_id,
    at: at.toISOString(),
  }));
}

/** Deletes runs that ended a month before `yesterday`: cleanup waits for a further day. */
export async function deleteOldRuns({ db }: Database, yesterday: Date): Promise<void> {
  const before = new Date(yesterday.getTime() - KEEP_MS);
  await db.deleteFrom("connection_runs").where("at", "<", before).execute();
}

/** Unlinks runs from erased calls; a run holds nothing else of a call. */
export const eraseRuns: EraseContent = async (trx, { sessionIds }) => {
  await trx
    .updateTable("connection_runs")
    .set({ session_id: null })
    .where("session_id", "in", [...sessionIds])
    .execute();
};
