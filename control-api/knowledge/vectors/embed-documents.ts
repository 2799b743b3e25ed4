import type { Clock } from "@parley/shared/clock.ts";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { every, handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { CountEmbedded } from "./count-embedded.ts";
import { type Embedded, type Embeddings, EmbeddingsError } from "./embeddings.ts";
import { spaceOf } from "./space.ts";
import { Turns } from "./turns.ts";
import {
  type DocumentToEmbed,
  documentsToEmbed,
  type PartVector,
  putVectors,
  textsOf,
} from "./vector-store.ts";
import type { VectorSupport } from "./vector-support.ts";

/** Looks for what a failed round left, and for the documents of another model. */
const EVERY_MS = 60_000;
const AT_ONCE = 100;
/** Documents of one organization before it is the others' turn: none waits for all of another's. */
const OF_EACH = 3;
/** Texts per request. */
const BATCH = 64;
const BATCH_WITHIN_MS = 60_000;

export interface EmbeddingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly service: Pick<EmbeddingsConfig, "model" | "dimensions">;
  readonly embeddings: Pick<Embeddings, "embed">;
  readonly support: Pick<VectorSupport, "state" | "ensureIndex">;
  readonly countEmbedded: CountEmbedded;
  readonly metrics: Pick<Metrics, "knowledgeEmbeddedTotal">;
}

/** Embeds what lacks vectors; added by each reading. */
const EMBED: JobKind<Record<string, never>> = { name: "embed_documents", payload: z.strictObject({}) };
const ONE_AT_A_TIME = "embed";

/** Call the queue's `announce` after the commit. */
export async function addEmbedding(trx: Kysely<Tables>, queue: Pick<JobQueue, "add">): Promise<void> {
  await queue.add(trx, EMBED, { payload: {}, key: ONE_AT_A_TIME });
}

/**
 * Embeds what lacks vectors of the configured model: documents just read, and all of them after a change of the model.
 * The organizations take turns. A service that fails ends the round, and the next one goes on with the organization
 * after.
 */
export function embedsDocuments(deps: EmbeddingDeps): JobHandler[] {
  const turns = new Turns();
  return [
    handles(EMBED, async ({ signal }) => {
      await embedLacking(signal, turns, deps).catch((error: unknown) => {
        signal.throwIfAborted();
        deps.log.warn(
          { event: "embedding_failed", err: messageOf(error) },
          "failed to embed documents, which wait for the next try",
        );
      });
    }),
    every(EVERY_MS, "embed_knowledge", (signal) => embedLacking(signal, turns, deps)),
  ];
}

async function embedLacking(signal: AbortSignal, turns: Turns, deps: EmbeddingDeps): Promise<void> {
  const { database, service, support } = deps;
  if (!(await support.state()).isReady) return;
  await support.ensureIndex("knowledge_vectors");
  const space = spaceOf(service);
  for (;;) {
    const documents = await documentsToEmbed(database.db, space, { ofEach: OF_EACH, limit: AT_ONCE });
    if (documents.length === 0) return;
    const orgIds = [...new Set(documents.map(({ orgId }) => orgId))].sort();
    for (const turn of turns.of(orgIds)) {
      for (const document of documents.filter(({ orgId }) => orgId === turn)) {
        signal.throwIfAborted();
        await embedDocument(document, signal, deps);
      }
    }
  }
}

async function embedDocument(
  document: DocumentToEmbed,
  signal: AbortSignal,
  deps: EmbeddingDeps,
): Promise<void> {
  const { database, service, log, metrics } = deps;
  const space = spaceOf(service);
  const vectors = await vectorsOf(document, signal, deps).catch((error: unknown) => {
    if (!(error instanceof EmbeddingsError && error.isAboutTexts)) throw error;
    log.warn(
      { event: "embedding_refused", documentId: document.id, orgId: document.orgId, err: error.message },
      "the service refused a document, which is found by its words alone",
    );
    return undefined;
  });
  await database.db.transaction().execute((trx) => putVectors(trx, { document, space }, vectors ?? []));
  metrics.knowledgeEmbeddedTotal.inc({ outcome: vectors ? "embedded" : "refused" });
}

async function vectorsOf(document: DocumentToEmbed, signal: AbortSignal, deps: EmbeddingDeps) {
  const { id, orgId, contentHash } = document;
  const parts = await textsOf(deps.database.db, id);
  const vectors: PartVector[] = [];
  for (let from = 0; from < parts.length; from += BATCH) {
    const batch = parts.slice(from, from + BATCH);
    const texts = batch.map(({ text }) => text);
    const embedded: Embedded = await deps.embeddings.embed({
      orgId,
      texts,
      purpose: "documents",
      timeoutMs: BATCH_WITHIN_MS,
      signal,
    });
    const source = `embedding ${id} ${contentHash} ${spaceOf(deps.service)} ${from}`;
    await deps.countEmbedded({ orgId, source, model: deps.service.model, tokens: embedded.tokens });
    batch.forEach(({ seq }, i) => {
      const vector = embedded.vectors[i] ?? [];
      // Nothing is near to a vector without a direction.
      if (vector.some((value) => value !== 0)) vectors.push({ seq, vector });
    });
  }
  return vectors;
}
