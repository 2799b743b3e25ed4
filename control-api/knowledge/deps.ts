import type { Clock } from "@parley/shared/clock.ts";
import type { Databases } from "../database/open.ts";
import type { Reads } from "../http/reads.ts";
import type { JobQueue } from "../jobs/queue.ts";

/** What the routes of knowledge bases use. */
export interface KnowledgeDeps {
  readonly database: Databases;
  readonly reads: Pick<Reads, "run">;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, "add" | "announce">;
}
