import type { ConnectionRun } from "@parley/shared/contracts/integrations.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import type { EraseContent } from "../../modules/module.ts";
import type { IntegrationParts } from "../deps.ts";

const MAX_SHOWN = 20;
const KEEP_MS = 30 * 86_400_000;
/** What a call or a chat is named by; a try of somebody who sets a tool up is in none. */
const CONVERSATION = /^ses_/;

/** One thing that was done in an account. */
export interface Run {
  readonly orgId: string;
  readonly connectionId: string;
  readonly capability: string;
  readonly outcome: string;
  readonly tookMs: number;
  readonly sessionId: string | undefined;
}

/** Notes what was done, beside whoever waits for it: a caller hears the answer no later. Never throws. */
export function noteRun(
  { orgId, connectionId, capability, outcome, tookMs, sessionId = "" }: Run,
  { database, clock, log }: Pick<IntegrationParts, "database" | "clock" | "log">,
): void {
  const values = {
    org_id: orgId,
    connection_id: connectionId,
    capability,
    outcome,
    took_ms: Math.round(tookMs),
    session_id: CONVERSATION.test(sessionId) ? sessionId : null,
    at: new Date(clock.wallMs()),
  };
  const noted = database.db.insertInto("connection_runs").values(values).execute();
  noted.catch((error: unknown) =>
    log.warn(
      { event: "connection_run_not_noted", connectionId, err: messageOf(error) },
      "failed to note what was done in a connection",
    ),
  );
}

/** The latest first. */
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

/** Those that ended a month before `yesterday`: what is cleaned up is over for a day. */
export async function deleteOldRuns({ db }: Database, yesterday: Date): Promise<void> {
  const before = new Date(yesterday.getTime() - KEEP_MS);
  await db.deleteFrom("connection_runs").where("at", "<", before).execute();
}

/** Nothing of a call is in them but its name. */
export const eraseRuns: EraseContent = async (trx, { sessionIds }) => {
  await trx
    .updateTable("connection_runs")
    .set({ session_id: null })
    .where("session_id", "in", [...sessionIds])
    .execute();
};
