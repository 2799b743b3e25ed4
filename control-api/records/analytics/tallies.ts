import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { CallRow } from "../call-rows/starts-and-ends.ts";
import { recordset } from "../rows.ts";
import { type CallWord, countedAs, deleteFoundWords, noteWords } from "./call-words.ts";
import { markLate } from "./roll-up.ts";
import { type Measure, quarterOf, summed } from "./sums.ts";

type Trx = Kysely<Tables>;
type CallOf = Pick<CallRow, "id" | "agentId" | "channel" | "createdAt">;

interface Tally {
  readonly org_id: string;
  readonly quarter: string;
  readonly agent_id: string;
  readonly channel: string;
  readonly measure: Measure;
  readonly value: string;
  readonly times: number;
}

const FAILED = new Set(["error", "not_found"]);
const COLUMNS = sql`org_id text, quarter timestamptz, agent_id text, channel text, measure text, value text, times int, nr int`;

/** Counts what events say about their calls, in the transaction that records them. */
export async function tallyEvents(
  trx: Trx,
  events: readonly CallEvent[],
  calls: ReadonlyMap<string, CallRow>,
): Promise<void> {
  const tallied = events.flatMap((event) => {
    const call = calls.get(event.sessionId);
    return call ? wordsOf(event).map((word) => ({ call, tally: tallyOf(event.orgId, call, word) })) : [];
  });
  await add(
    trx,
    tallied.map(({ tally }) => tally),
  );
  await noteWords(
    trx,
    tallied.map(({ call, tally }) => wordOf(call, tally)),
  );
}

type Word = readonly [Measure, string];

function wordsOf(event: CallEvent): Word[] {
  switch (event.type) {
    case "call.ended":
      return [["end_reason", event.reason]];
    case "call.message":
      return event.interrupted && event.role === "assistant" ? [["interruption", ""]] : [];
    case "call.tool_invoked": {
      const { name, status } = event;
      return [["tool", name], ...(FAILED.has(status) ? ([["tool_failure", name]] as const) : [])];
    }
    case "call.started":
    case "call.turn_metrics":
    case "call.dtmf":
    case "call.handed_off":
    case "call.node_entered":
    case "call.tokens_used":
    case "call.transfer_requested":
    case "recording.ready":
    case "call.machine_detected":
      return [];
    default:
      return event satisfies never;
  }
}

interface AnalyzedCall extends CallOf {
  readonly orgId: string;
  readonly analysis: CallAnalysis;
}

/** Counts the findings of a call's analysis, in the transaction that stores it. */
export async function tallyAnalysis(trx: Trx, call: AnalyzedCall): Promise<void> {
  const tallies = talliesOf(call);
  await add(trx, tallies);
  await markLate(trx, tallies);
  await noteWords(
    trx,
    tallies.map((tally) => wordOf(call, tally)),
  );
}

/** Subtracts the counts of analyses, in the transaction that deletes them: their words derive from what was said. */
export async function untallyAnalyses(trx: Trx, calls: readonly AnalyzedCall[]): Promise<void> {
  const rows = inSum(calls.flatMap(talliesOf));
  if (rows.length === 0) return;
  const told = recordset<Tally>(
    rows.map((row, nr) => ({ ...row, nr })),
    COLUMNS,
  );
  const isTold = sql`counted.org_id = told.org_id and counted.quarter = told.quarter
    and counted.agent_id = told.agent_id and counted.channel = told.channel
    and counted.measure = told.measure and counted.value = told.value`;
  // Locks in the order of writing, which is not the database's, so that two transactions never deadlock.
  await sql`select from call_tallies counted join ${told} on ${isTold} order by told.nr for update of counted`.execute(
    trx,
  );
  await sql`update call_tallies counted set times = counted.times - told.times from ${told}
    where ${isTold}`.execute(trx);
  await sql`delete from call_tallies counted using ${told} where ${isTold} and counted.times <= 0`.execute(
    trx,
  );
  await markLate(trx, rows);
  await deleteFoundWords(
    trx,
    calls.map(({ id }) => id),
  );
}

function talliesOf({ orgId, analysis, ...call }: AnalyzedCall): Tally[] {
  const { sentiment, disposition, topics, qa } = analysis;
  const words: Word[] = [
    ...(sentiment ? ([["sentiment", sentiment]] as const) : []),
    ...(disposition ? ([["disposition", disposition]] as const) : []),
    ...topics.map((topic) => ["topic", topic] as const),
    ...qa.map(({ key, met }) => [met ? "qa_met" : "qa_missed", key] as const),
  ];
  const each = new Map(
    words
      .map((word) => tallyOf(orgId, call, word))
      .filter(({ value }) => value !== "")
      // A call counts once per word, however often its analysis contains it.
      .map((tally) => [`${tally.measure} ${tally.value}`, tally]),
  );
  return [...each.values()];
}

function tallyOf(orgId: string, { agentId, channel, createdAt }: CallOf, [measure, word]: Word): Tally {
  const key = { org_id: orgId, quarter: quarterOf(createdAt), agent_id: agentId ?? "", channel };
  return { ...key, measure, value: countedAs(word), times: 1 };
}

function wordOf({ id, createdAt }: CallOf, { org_id, measure, value }: Tally): CallWord {
  return { callId: id, orgId: org_id, createdAt, measure, value };
}

/** One row per key, in key order. */
function inSum(tallies: readonly Tally[]): Tally[] {
  return summed(
    tallies,
    ({ org_id, quarter, agent_id, channel, measure, value }) => [
      ...[org_id, quarter, agent_id],
      ...[channel, measure, value],
    ],
    (one, other) => ({ ...one, times: one.times + other.times }),
  );
}

async function add(trx: Trx, tallies: readonly Tally[]): Promise<void> {
  const rows = inSum(tallies);
  if (rows.length === 0) return;
  await trx
    .insertInto("call_tallies")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["org_id", "quarter", "agent_id", "channel", "measure", "value"])
        .doUpdateSet(({ eb }) => ({ times: eb("call_tallies.times", "+", eb.ref("excluded.times")) })),
    )
    .execute();
}
