import { type CallEvent, eventTypes } from "@parley/shared/contracts/call-events.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { CallRow } from "../call-rows/starts-and-ends.ts";
import { bucketOf } from "./response-times.ts";
import { markLate } from "./roll-up.ts";
import { quarterOf, summed } from "./sums.ts";
import { tallyEvents } from "./tallies.ts";

type Trx = Kysely<Tables>;
type Ended = Extract<CallEvent, { type: "call.ended" }>;
type Turn = Extract<CallEvent, { type: "call.turn_metrics" }>;

const MS_PER_SEC = 1_000;
/** The events counted here and in `tallies.ts`. */
const COUNTED = eventTypes({
  "call.started": false,
  "call.message": true,
  "call.turn_metrics": true,
  "call.dtmf": false,
  "call.handed_off": false,
  "call.node_entered": false,
  "call.tokens_used": false,
  "call.transfer_requested": false,
  "call.tool_invoked": true,
  "recording.ready": false,
  "call.machine_detected": false,
  "call.ended": true,
});

/**
 * Counts what events say about calls, for overviews, in the transaction that records them: an event is recorded once
 * and so counted once. Writes rows in key order, so that two event projectors never deadlock.
 */
export async function countCalls(
  trx: Trx,
  events: readonly CallEvent[],
  known: ReadonlyMap<string, CallRow>,
): Promise<void> {
  // Nobody called in a rehearsal.
  const calls = new Map([...known].filter(([, { channel }]) => channel !== SIMULATION));
  await countEnds(
    trx,
    events.filter((event) => event.type === "call.ended"),
    calls,
  );
  await countTurns(
    trx,
    events.filter((event) => event.type === "call.turn_metrics"),
    calls,
  );
  await tallyEvents(trx, events, calls);
  await markLate(
    trx,
    events.flatMap((event) => {
      const call = COUNTED.has(event.type) ? calls.get(event.sessionId) : undefined;
      return call ? { org_id: event.orgId, quarter: quarterOf(call.createdAt) } : [];
    }),
  );
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
    (row) => [row.org_id, row.quarter, row.agent_id, row.channel, String(row.bucket)],
    (one, other) => ({ ...one, turns: one.turns + other.turns }),
  );
  if (rows.length === 0) return;
  await trx
    .insertInto("response_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "quarter", "agent_id", "channel", "bucket"])
        .doUpdateSet(({ eb }) => ({ turns: eb("response_counts.turns", "+", eb.ref("excluded.turns")) })),
    )
    .execute();
}

function keyOf({ orgId }: CallEvent, { agentId, channel, createdAt }: CallRow) {
  return { org_id: orgId, quarter: quarterOf(createdAt), agent_id: agentId ?? "", channel };
}

function secondsOf({ durationSecs, at }: Ended, { startedAt }: CallRow): number {
  if (durationSecs !== undefined) return durationSecs;
  if (startedAt === null) return 0;
  return Math.max(0, Math.floor((Date.parse(at) - startedAt.getTime()) / MS_PER_SEC));
}
