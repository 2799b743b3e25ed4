import type { Clock } from "@parley/shared/clock.ts";
import type { Databases } from "../database/open.ts";
import type { Reads } from "../http/reads.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { SearchKnowledge } from "./search/search.ts";
import type { Vectors } from "./vectors/open-vectors.ts";

/** What the knowledge routes need. */
export interface KnowledgeDeps {
  readonly database: Databases;
  readonly reads: Pick<Reads, "run">;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, "add" | "announce">;
  readonly search: SearchKnowledge;
  /** Absent without an embeddings service. */
  readonly vectors: Pick<Vectors, "model" | "space" | "support"> | undefined;
}
