import { type CallsQuery, WORD_FILTERS, type WordFilter } from "@parley/shared/contracts/calls.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Measure } from "./sums.ts";

type Trx = Kysely<Tables>;

/** The measure counted for each filter of the call list. */
const MEASURES: Readonly<Record<WordFilter, Measure>> = {
  endReason: "end_reason",
  interrupted: "interruption",
  tool: "tool",
  failedTool: "tool_failure",
  sentiment: "sentiment",
  disposition: "disposition",
  topic: "topic",
  metCriterion: "qa_met",
  missedCriterion: "qa_missed",
};

export interface CallWord {
  readonly callId: string;
  readonly orgId: string;
  readonly createdAt: Date;
  readonly measure: Measure;
  readonly value: string;
}

/** Records the calls behind each counted word, in the counting transaction: each figure links to its calls. */
export async function noteWords(trx: Trx, words: readonly CallWord[]): Promise<void> {
  const each = new Map(words.map((word) => [JSON.stringify([word.callId, word.measure, word.value]), word]));
  if (each.size === 0) return;
  const rows = [...each]
    // Sorted, so that two transactions never deadlock.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { callId, orgId, createdAt, measure, value }]) => ({
      call_id: callId,
      org_id: orgId,
      created_at: createdAt,
      measure,
      value,
    }));
  await trx
    .insertInto("call_words")
    .values(rows)
    .onConflict((own) => own.doNothing())
    .execute();
}

/** Measures that derive from what was said; the others describe the call and stay with it. */
const OF_CONTENT: readonly Measure[] = ["sentiment", "disposition", "topic", "qa_met", "qa_missed"];

/** Deletes the words found by analyses. */
export async function deleteFoundWords(trx: Trx, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return;
  await trx
    .deleteFrom("call_words")
    .where("call_id", "in", [...callIds])
    .where("measure", "in", [...OF_CONTENT])
    .execute();
}

export interface WordOf {
  readonly measure: Measure;
  readonly value: string;
}

/** The counted words a call must have to pass the filters. */
export function wordsOf(query: CallsQuery): WordOf[] {
  return WORD_FILTERS.flatMap((filter) => {
    const value = query[filter];
    if (value === undefined) return [];
    return { measure: MEASURES[filter], value: filter === "interrupted" ? "" : countedAs(value) };
  });
}

/** Longest counted word, since a model may write any. */
const MAX_VALUE_CHARS = 100;

/** Normalizes a word for counting. */
export function countedAs(word: string): string {
  return [...word.trim()].slice(0, MAX_VALUE_CHARS).join("");
}
