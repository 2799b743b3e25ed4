import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../../database/open.ts";
import { every, type JobHandler } from "../../../jobs/job-kind.ts";
import { EmbeddingsError } from "../../../knowledge/vectors/embeddings.ts";
import type { Vectors } from "../../../knowledge/vectors/open-vectors.ts";
import { wordsOf } from "../values.ts";
import { putVectors, type RecordToEmbed, recordsToEmbed } from "./vector-store.ts";

/** How long a record may be found by its words alone. */
const EVERY_MS = 10_000;
/** Records per request. */
const BATCH = 64;
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
 * after a change of the model. A service that fails ends the round, and the next one goes on.
 */
export function embedsRecords(deps: EmbedRecordsDeps): JobHandler {
  return every(EVERY_MS, "embed_app_records", (signal) => embedLacking(signal, deps));
}

async function embedLacking(signal: AbortSignal, deps: EmbedRecordsDeps): Promise<void> {
  const { database, vectors } = deps;
  if (!(await vectors.support.state()).isReady) return;
  await vectors.support.ensureIndex("app_record_vectors");
  for (;;) {
    signal.throwIfAborted();
    const records = await recordsToEmbed(database.db, vectors.space, BATCH);
    if (records.length === 0) return;
    const embedded = await embedAll(records, signal, deps);
    await database.db.transaction().execute((trx) => putVectors(trx, vectors.space, embedded));
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
  const given = records.map((record) => ({ record, text: wordsOf(record.data).slice(0, MAX_CHARS) }));
  const worded = given.filter(({ text }) => text.trim() !== "");
  const texts = worded.map(({ text }) => text);
  const orgId = records[0]?.orgId ?? "";
  const { model } = vectors.service;
  const asked = { orgId, texts, purpose: "documents", timeoutMs: BATCH_WITHIN_MS, signal } as const;
  const answer = texts.length === 0 ? undefined : await vectors.embeddings.embed(asked);
  if (answer) {
    const of = sha256Hex(JSON.stringify(worded.map(({ record, text }) => [record.seq, text])));
    const source = `embedding records ${vectors.space} ${of}`;
    await vectors.countEmbedded({ orgId, source, model, tokens: answer.tokens, channel: "app" });
  }
  return given.map(({ record }) => {
    const at = worded.findIndex((one) => one.record === record);
    return { record, vector: answer?.vectors[at] ?? [] };
  });
}
