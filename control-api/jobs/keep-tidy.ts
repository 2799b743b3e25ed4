import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../database/open.ts";
import { every, type JobHandler } from "./job-kind.ts";
import { deleteDone } from "./store.ts";

const EVERY_MS = 10 * 60_000;
/** How long a finished job keeps its `once` name taken. */
const KEEP_MS = 86_400_000;

/** Deletes jobs that finished long ago. */
export function keepJobsTidy({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): JobHandler {
  return every(EVERY_MS, "delete_done_jobs", () => deleteDone(database, new Date(clock.wallMs() - KEEP_MS)));
}
