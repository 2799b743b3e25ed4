import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { CallRow } from "../call-rows/starts-and-ends.ts";
import { recordset } from "../rows.ts";
import { quarterOf, summed } from "./sums.ts";

type Trx = Kysely<Tables>;
type CallOf = Pick<CallRow, "agentId" | "channel" | "createdAt">;

/** What is counted of calls by a word: how they ended, went and were judged. */
export type Measure =
  | "end_reason"
  | "interruption"
  | "tool"
  | "tool_failure"
  | "sentiment"
  | "disposition"
  | "topic"
  | "qa_met"
  | "qa_missed";

interface Tally {
  readonly org_id: string;
  readonly quarter: string;
  readonly agent_id: string;
  readonly channel: string;
  readonly measure: Measure;
  readonly value: string;
  readonly times: number;
}

/** Characters of a word that is counted; a model may write any. */
const MAX_VALUE_CHARS = 100;
const FAILED = new Set(["error", "not_found"]);
const COLUMNS = sql`org_id text, quarter timestamptz, agent_id text, channel text, measure text, value text, times int, nr int`;

/** Counts what events say of their calls, in the transaction that records them. */
export async function tallyEvents(
  trx: Trx,
  events: readonly CallEvent[],
  calls: ReadonlyMap<string, CallRow>,
): Promise<void> {
  const tallies = events.flatMap((event) => {
    const call = calls.get(event.sessionId);
    return call ? wordsOf(event).map((word) => tallyOf(event.orgId, call, word)) : [];
  });
  await add(trx, tallies);
}

type Word = readonly [Measure, string];

function wordsOf(event: CallEvent): Word[] {
  if (event.type === "call.ended") return [["end_reason", event.reason]];
  if (event.type === "call.message")
    return event.interrupted && event.role === "assistant" ? [["interruption", ""]] : [];
  if (event.type !== "call.tool_invoked") return [];
  const { name, status } = event;
  return [["tool", name], ...(FAILED.has(status) ? ([["tool_failure", name]] as const) : [])];
}

interface AnalyzedCall extends CallOf {
  readonly orgId: string;
  readonly analysis: CallAnalysis;
}

/** Counts what the analysis of a call found, in the transaction that keeps it. */
export function tallyAnalysis(trx: Trx, call: AnalyzedCall): Promise<void> {
  return add(trx, talliesOf(call));
}

/** Takes back what analyses had counted, in the transaction that deletes them: their words are of what was said. */
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
  // In the order in which they are written, which is not the database's: no two transactions wait for each other.
  await sql`select from call_tallies counted join ${told} on ${isTold} order by told.nr for update of counted`.execute(
    trx,
  );
  await sql`update call_tallies counted set times = counted.times - told.times from ${told}
    where ${isTold}`.execute(trx);
  await sql`delete from call_tallies counted using ${told} where ${isTold} and counted.times <= 0`.execute(
    trx,
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
      // A call counts once for a word, however often its analysis has it.
      .map((tally) => [`${tally.measure} ${tally.value}`, tally]),
  );
  return [...each.values()];
}

function tallyOf(orgId: string, { agentId, channel, createdAt }: CallOf, [measure, word]: Word): Tally {
  const key = { org_id: orgId, quarter: quarterOf(createdAt), agent_id: agentId ?? "", channel };
  return { ...key, measure, value: [...word.trim()].slice(0, MAX_VALUE_CHARS).join(""), times: 1 };
}

/** One row a key, in the order of the keys. */
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
