import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { CallRow } from "../call-rows/starts-and-ends.ts";
import { bucketOf } from "./response-times.ts";

type Trx = Kysely<Tables>;
type Ended = Extract<CallEvent, { type: "call.ended" }>;
type Turn = Extract<CallEvent, { type: "call.turn_metrics" }>;

/** All zones of the world begin their days with a quarter of an hour. */
const QUARTER_MS = 900_000;
const MS_PER_SEC = 1_000;

/**
 * Counts calls that ended and the turns of calls, for overviews, in the transaction that records them: an event is counted
 * once, as it is recorded once. The rows are written in the order of their keys, so that two event projectors do not wait
 * for each other.
 */
export async function countCalls(
  trx: Trx,
  { ends, turns }: { readonly ends: readonly Ended[]; readonly turns: readonly Turn[] },
  calls: ReadonlyMap<string, CallRow>,
): Promise<void> {
  await countEnds(trx, ends, calls);
  await countTurns(trx, turns, calls);
}

async function countEnds(
  trx: Trx,
  ends: readonly Ended[],
  calls: ReadonlyMap<string, CallRow>,
): Promise<void> {
  const counted = ends.flatMap((end) => {
    const call = calls.get(end.sessionId);
    if (!call) return [];
    return {
      ...keyOf(end, call),
      channel: call.channel,
      ended: 1,
      answered: call.startedAt === null ? 0 : 1,
      failed: end.status === "failed" ? 1 : 0,
      talk_secs: secondsOf(end, call),
    };
  });
  const rows = summed(
    counted,
    (row) => [row.org_id, row.quarter, row.agent_id, row.channel],
    (one, other) => ({
      ...one,
      ended: one.ended + other.ended,
      answered: one.answered + other.answered,
      failed: one.failed + other.failed,
      talk_secs: one.talk_secs + other.talk_secs,
    }),
  );
  if (rows.length === 0) return;
  await trx
    .insertInto("call_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["org_id", "quarter", "agent_id", "channel"]).doUpdateSet(({ eb }) => ({
        ended: eb("call_counts.ended", "+", eb.ref("excluded.ended")),
        answered: eb("call_counts.answered", "+", eb.ref("excluded.answered")),
        failed: eb("call_counts.failed", "+", eb.ref("excluded.failed")),
        talk_secs: eb("call_counts.talk_secs", "+", eb.ref("excluded.talk_secs")),
      })),
    )
    .execute();
}

async function countTurns(
  trx: Trx,
  turns: readonly Turn[],
  calls: ReadonlyMap<string, CallRow>,
): Promise<void> {
  const counted = turns.flatMap((turn) => {
    const call = calls.get(turn.sessionId);
    return call ? { ...keyOf(turn, call), bucket: bucketOf(turn.metrics.responseMs), turns: 1 } : [];
  });
  const rows = summed(
    counted,
    (row) => [row.org_id, row.quarter, row.agent_id, String(row.bucket)],
    (one, other) => ({ ...one, turns: one.turns + other.turns }),
  );
  if (rows.length === 0) return;
  await trx
    .insertInto("response_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "quarter", "agent_id", "bucket"])
        .doUpdateSet(({ eb }) => ({ turns: eb("response_counts.turns", "+", eb.ref("excluded.turns")) })),
    )
    .execute();
}

function keyOf({ orgId }: CallEvent, { agentId, createdAt }: CallRow) {
  const quarter = new Date(Math.floor(createdAt.getTime() / QUARTER_MS) * QUARTER_MS).toISOString();
  return { org_id: orgId, quarter, agent_id: agentId ?? "" };
}

function secondsOf({ durationSecs, at }: Ended, { startedAt }: CallRow): number {
  if (durationSecs !== undefined) return durationSecs;
  if (startedAt === null) return 0;
  return Math.max(0, Math.floor((Date.parse(at) - startedAt.getTime()) / MS_PER_SEC));
}

/** One row a key, in the order of the keys. */
function summed<R>(
  rows: readonly R[],
  keyOf: (row: R) => readonly string[],
  add: (one: R, other: R) => R,
): R[] {
  const byKey = new Map<string, R>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? row : add(before, row));
  }
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
