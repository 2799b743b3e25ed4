import { randomUUID } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { CountEmbedded } from "../vectors/count-embedded.ts";
import { type Embeddings, EmbeddingsError } from "../vectors/embeddings.ts";
import { spaceOf } from "../vectors/space.ts";
import { nearestParts } from "../vectors/vector-store.ts";
import type { VectorSupport } from "../vectors/vector-support.ts";
import type { FoundPart } from "./by-words.ts";

/** A turn waits 400 ms for its passages; what the words find must still be in time. */
const VECTOR_WITHIN_MS = 250;
/** Partial transcripts repeat, and so do the questions of callers. */
const REMEMBERED = { perOrg: 200, orgs: 1_000 };

/**
 * Nearest parts that the index keeps while it looks further. Of the 30 that a search takes, its standard of 40 misses a
 * quarter, this an eighth for 2 ms of CPU more, and 200 hardly fewer (scripts/measure-search.ts).
 */
const LOOKED_AT = 100;

export interface MeaningDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly service: Pick<EmbeddingsConfig, "model" | "dimensions" | "minSimilarity">;
  readonly embeddings: Pick<Embeddings, "embed">;
  readonly support: Pick<VectorSupport, "state">;
  readonly countEmbedded: CountEmbedded;
}

export interface MeaningQuery {
  readonly orgId: string;
  /** All of this organization. */
  readonly baseIds: readonly string[];
  readonly text: string;
  readonly limit: number;
}

/** Finds passages that mean the same as a text, whatever their words. */
export class MeaningSearch {
  readonly #deps: MeaningDeps;
  readonly #vectors = new OrgMap<readonly number[]>(REMEMBERED);

  constructor(deps: MeaningDeps) {
    this.#deps = deps;
  }

  /** Best first. Empty when nothing is near, and when vectors cannot be had or compared: it never throws. */
  async search(database: Database, query: MeaningQuery): Promise<FoundPart[]> {
    const { support, service, log } = this.#deps;
    try {
      if (!(await support.state()).isReady) return [];
      const vector = await this.#vectorOf(query);
      if (!vector.some((value) => value !== 0)) return [];
      const { baseIds, limit } = query;
      const { minSimilarity } = service;
      const nearest = { baseIds, limit, vector, minSimilarity, space: spaceOf(service) };
      const parts = await scanning(database, (db) => nearestParts(db, nearest));
      return parts.map((part, i) => ({ ...part, score: 1 / (i + 1), share: 1 }));
    } catch (error) {
      log.warn(
        { event: "meaning_search_failed", orgId: query.orgId, err: messageOf(error) },
        "failed to search by meaning, searched by words alone",
      );
      return [];
    }
  }

  async #vectorOf({ orgId, text }: MeaningQuery): Promise<readonly number[]> {
    const known = this.#vectors.get(orgId, text);
    if (known) return known;
    const { embeddings, service, countEmbedded, log } = this.#deps;
    const asked = { orgId, texts: [text], purpose: "search", timeoutMs: VECTOR_WITHIN_MS } as const;
    const { vectors, tokens } = await embeddings.embed(asked);
    const [vector] = vectors;
    if (!vector) throw new EmbeddingsError("The embeddings service answered without a vector.");
    this.#vectors.set(orgId, text, vector);
    // The caller does not wait for the books.
    countEmbedded({ orgId, source: `embedding ${randomUUID()}`, model: service.model, tokens }).catch(
      (error: unknown) =>
        log.warn(
          { event: "embedding_not_counted", orgId, err: messageOf(error) },
          "failed to count the tokens of a search",
        ),
    );
    return vector;
  }
}

/** Lets the index go on until enough parts of the searched bases are found: it holds those of all organizations. */
function scanning<T>({ db, kind }: Database, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  if (kind === "pglite") return work(db);
  return db.transaction().execute(async (trx) => {
    // In one statement, so that it is one round trip.
    await sql`select set_config('hnsw.iterative_scan', 'strict_order', true),
      set_config('hnsw.ef_search', ${String(LOOKED_AT)}, true)`.execute(trx);
    return work(trx);
  });
}
