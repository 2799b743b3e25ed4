import type { Clock } from "@parley/shared/clock.ts";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { Databases } from "../../database/open.ts";
import type { JobHandler } from "../../jobs/job-kind.ts";
import { MeaningSearch } from "../search/by-meaning.ts";
import type { CountEmbedded } from "./count-embedded.ts";
import { embedsDocuments } from "./embed-documents.ts";
import { Embeddings } from "./embeddings.ts";
import { QuestionVectors } from "./question-vectors.ts";
import { spaceOf } from "./space.ts";
import { VectorSupport } from "./vector-support.ts";

export interface VectorsDeps {
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly egress: Pick<Egress, "to">;
  readonly countEmbedded: CountEmbedded;
}

/** Searching by meaning, where a service is configured. */
export interface Vectors {
  readonly model: string;
  /** The space that documents are embedded in. */
  readonly space: string;
  readonly meaning: MeaningSearch;
  readonly service: EmbeddingsConfig;
  readonly questions: QuestionVectors;
  readonly embeddings: Embeddings;
  readonly countEmbedded: CountEmbedded;
  readonly support: VectorSupport;
  readonly jobs: readonly JobHandler[];
}

export function openVectors(service: EmbeddingsConfig, deps: VectorsDeps): Vectors {
  const { database, clock, log, metrics, egress } = deps;
  const space = spaceOf(service);
  const { dimensions } = service;
  const support = new VectorSupport({ database, clock, log, metrics, space: { space, dimensions } });
  const embeddings = new Embeddings({ service, clock, metrics, dispatchers: egress.to("model") });
  const questions = new QuestionVectors({ ...deps, service, embeddings });
  const shared = { ...deps, service, embeddings, questions, support };
  return {
    model: service.model,
    space,
    meaning: new MeaningSearch(shared),
    ...{ service, questions, embeddings, support, countEmbedded: deps.countEmbedded },
    jobs: embedsDocuments({ ...shared, database: database.background }),
  };
}
