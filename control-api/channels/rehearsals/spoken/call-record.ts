import type { Clock } from "@parley/shared/clock.ts";
import type { Rehearsal } from "@parley/shared/contracts/rehearsals.ts";
import type { Database } from "../../../database/open.ts";
import { listPath } from "../../../records/calls/path-store.ts";
import { findSession, findToolPage } from "../../sessions/read-store.ts";

const LOOK_EVERY_MS = 150;
/** The call is over; only its last events are on their way. */
const RECORDED_WITHIN_MS = 30_000;
const MAX_TOOLS = 500;

/** What only a call's record says of it. */
export type Recorded = Pick<Rehearsal, "path" | "tools">;

/** Waits until the call's end is recorded. Returns undefined if it is not in time. */
export async function readRecord(
  { sessionId, orgId }: { readonly sessionId: string; readonly orgId: string },
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): Promise<Recorded | undefined> {
  const endMs = clock.monotonicMs() + RECORDED_WITHIN_MS;
  while (!(await isEnded(database, sessionId))) {
    if (clock.monotonicMs() >= endMs) return undefined;
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
  const session = await findSession(database, orgId, sessionId);
  const tools = session ? await findToolPage(database, session, { after: -1, limit: MAX_TOOLS }) : [];
  const path = await listPath(database, sessionId);
  return {
    path: path.map(({ node }) => node),
    tools: tools.map(({ name, status }) => ({ name, status })),
  };
}

async function isEnded({ db }: Database, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom("calls")
    .select("ended_at")
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  return row?.ended_at !== null;
}
