import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import type { QuestionVectors } from "../vectors/question-vectors.ts";
import { scanNearest } from "../vectors/scan-nearest.ts";
import { spaceOf } from "../vectors/space.ts";
import { nearestParts } from "../vectors/vector-store.ts";
import type { VectorSupport } from "../vectors/vector-support.ts";
import type { FoundPart } from "./by-words.ts";

export interface MeaningDeps {
  readonly log: Logger;
  readonly service: Pick<EmbeddingsConfig, "model" | "dimensions" | "minSimilarity">;
  readonly questions: Pick<QuestionVectors, "of">;
  readonly support: Pick<VectorSupport, "state">;
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

  constructor(deps: MeaningDeps) {
    this.#deps = deps;
  }

  /** Best first. Empty when nothing is near, and when vectors cannot be had or compared: it never throws. */
  async search(database: Database, query: MeaningQuery): Promise<FoundPart[]> {
    const { support, service, questions, log } = this.#deps;
    try {
      if (!(await support.state()).isReady) return [];
      const vector = await questions.of(query);
      if (!vector) return [];
      const { baseIds, limit } = query;
      const { minSimilarity } = service;
      const nearest = { baseIds, limit, vector, minSimilarity, space: spaceOf(service) };
      const parts = await scanNearest(database, (db) => nearestParts(db, nearest));
      return parts.map((part, i) => ({ ...part, score: 1 / (i + 1), share: 1 }));
    } catch (error) {
      log.warn(
        { event: "meaning_search_failed", orgId: query.orgId, err: messageOf(error) },
        "failed to search by meaning, searched by words alone",
      );
      return [];
    }
  }
}
