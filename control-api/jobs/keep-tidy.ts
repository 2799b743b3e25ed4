import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../database/open.ts";
import { every, type JobHandler } from "./job-kind.ts";
import { deleteDone } from "./store.ts";

const EVERY_MS = 10 * 60_000;
/** So long a job that was added again with the same `once` is still known. */
const KEEP_MS = 86_400_000;

/** Deletes jobs that are long done. */
export function keepJobsTidy({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): JobHandler {
  return every(EVERY_MS, "delete_done_jobs", () => deleteDone(database, new Date(clock.wallMs() - KEEP_MS)));
}
