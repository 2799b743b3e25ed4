import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../../database/open.ts";
import { every, type JobHandler } from "../../../jobs/job-kind.ts";
import { EmbeddingsError } from "../../../knowledge/vectors/embeddings.ts";
import type { Vectors } from "../../../knowledge/vectors/open-vectors.ts";
import { wordsOf } from "../values.ts";
import { orgsToEmbed, putVectors, type RecordToEmbed, recordsToEmbed } from "./vector-store.ts";

/** How long a record may be found by its words alone. */
const EVERY_MS = 10_000;
/** Records per request. */
const BATCH = 64;
/** Before it is another organization's turn. */
const REQUESTS_A_TURN = 4;
/** Then the next round begins, which tries again what failed. */
const TURNS_A_ROUND = 50;
/** Records that fail in a row: it is the service that fails. Fewer than open its circuit, which is everybody's. */
const ENOUGH_FAILURES = 3;
const BATCH_WITHIN_MS = 60_000;
/** Services refuse more than some 8,000 tokens; hardly a token is shorter than a character. */
const MAX_CHARS = 8_000;

export interface EmbedRecordsDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly vectors: Pick<Vectors, "service" | "space" | "embeddings" | "support" | "countEmbedded">;
}

/**
 * Embeds the records of searched types that lack vectors of the configured model: those just written, and all of them
 * after a change of the model. Organizations take turns, however many records one of them has. What fails is embedded in
 * the next round.
 */
export function embedsRecords(deps: EmbedRecordsDeps): JobHandler {
  return every(EVERY_MS, "embed_app_records", (signal) => embedLacking(signal, deps));
}

async function embedLacking(signal: AbortSignal, deps: EmbedRecordsDeps): Promise<void> {
  const { database, vectors } = deps;
  if (!(await vectors.support.state()).isReady) return;
  await vectors.support.ensureIndex("app_record_vectors");
  const turns = new Map<string, Turn>();
  for (let nr = 0; nr < TURNS_A_ROUND; nr++) {
    const orgIds = await orgsToEmbed(database.db, vectors.space);
    const waiting = orgIds.filter((orgId) => turns.get(orgId)?.isOver !== true);
    if (waiting.length === 0) break;
    for (const orgId of waiting) await takeTurn(orgId, turns, { signal, deps });
  }
  const [failure] = [...turns.values()].flatMap(({ failures }) => failures);
  if (failure !== undefined) throw failure;
}

async function takeTurn(orgId: string, turns: Map<string, Turn>, round: Round): Promise<void> {
  const turn = turns.get(orgId) ?? { after: "0", isOver: false, failures: [] };
  for (let nr = 0; nr < REQUESTS_A_TURN && !turn.isOver; nr++) await embedSome(orgId, turn, round);
  // Whoever has written again since may come again.
  if (turn.isOver && turn.failures.length === 0) turns.delete(orgId);
  else turns.set(orgId, turn);
}

interface Round {
  readonly signal: AbortSignal;
  readonly deps: EmbedRecordsDeps;
}

/** How far an organization has come in a round. */
interface Turn {
  /** The last record that was tried. */
  after: string;
  /** All were tried, or the service fails at each. */
  isOver: boolean;
  readonly failures: unknown[];
}

/** One by one after a failure: a record that the service always fails at keeps no other waiting. */
async function embedSome(orgId: string, turn: Turn, { signal, deps }: Round): Promise<void> {
  const { database, vectors } = deps;
  const { space } = vectors;
  const succeeds = async (some: readonly RecordToEmbed[]): Promise<boolean> => {
    signal.throwIfAborted();
    try {
      const embedded = await embedAll(some, signal, deps);
      await database.db.transaction().execute((trx) => putVectors(trx, space, embedded));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      turn.failures.push(error);
      return false;
    }
  };
  const records = await recordsToEmbed(database.db, { orgId, space, after: turn.after, limit: BATCH });
  turn.after = records.at(-1)?.seq ?? turn.after;
  turn.isOver = records.length < BATCH;
  if (records.length === 0 || (await succeeds(records))) return;
  let failedInARow = 0;
  for (const record of records) {
    failedInARow = (await succeeds([record])) ? 0 : failedInARow + 1;
    if (failedInARow === ENOUGH_FAILURES) {
      turn.isOver = true;
      return;
    }
  }
}

interface EmbeddedRecord {
  readonly record: RecordToEmbed;
  readonly vector: readonly number[];
}

/** One by one where the service refuses them together, so that one that it cannot take keeps no other waiting. */
async function embedAll(
  records: readonly RecordToEmbed[],
  signal: AbortSignal,
  deps: EmbedRecordsDeps,
): Promise<EmbeddedRecord[]> {
  try {
    return await embed(records, signal, deps);
  } catch (error) {
    if (!(error instanceof EmbeddingsError && error.isAboutTexts)) throw error;
    const [first] = records;
    if (first && records.length === 1) return [refused(first, error, deps)];
    const embedded: EmbeddedRecord[] = [];
    for (const record of records) embedded.push(...(await embedAll([record], signal, deps)));
    return embedded;
  }
}

function refused(record: RecordToEmbed, error: Error, { log }: EmbedRecordsDeps): EmbeddedRecord {
  log.warn(
    { event: "record_embedding_refused", orgId: record.orgId, err: messageOf(error) },
    "the service refused a record of an app, which is found by its words alone",
  );
  return { record, vector: [] };
}

async function embed(
  records: readonly RecordToEmbed[],
  signal: AbortSignal,
  { vectors }: EmbedRecordsDeps,
): Promise<EmbeddedRecord[]> {
  const given = records.map((record) => ({ record, text: textOf(record) }));
  const worded = given.filter(({ text }) => text.trim() !== "");
  const texts = worded.map(({ text }) => text);
  const orgId = records[0]?.orgId ?? "";
  const { model } = vectors.service;
  const asked = { orgId, texts, purpose: "documents", timeoutMs: BATCH_WITHIN_MS, signal } as const;
  const answer = texts.length === 0 ? undefined : await vectors.embeddings.embed(asked);
  if (answer) {
    const of = sha256Hex(JSON.stringify(worded.map(({ record: { seq, at }, text }) => [seq, at, text])));
    // A record that is changed and changed back is embedded, and paid for, each time.
    const source = `embedding records ${vectors.space} ${of}`;
    await vectors.countEmbedded({ orgId, source, model, tokens: answer.tokens, channel: "app" });
  }
  return given.map(({ record }) => {
    const at = worded.findIndex((one) => one.record === record);
    return { record, vector: answer?.vectors[at] ?? [] };
  });
}

/** Well-formed also where it is cut: services refuse half a character. */
function textOf({ data }: RecordToEmbed): string {
  return wordsOf(data).slice(0, MAX_CHARS).toWellFormed();
}
