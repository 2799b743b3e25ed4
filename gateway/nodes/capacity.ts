import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

/** The caller's socket, the brain's request and a preemptive one, the recognizer, the voice and the recording. */
const FILES_PER_CALL = 6;
/** Redis, logs, listening sockets, scrapes, watchers, and what the runtime itself has open. */
const FILES_RESERVED = 100;

/**
 * Returns how many calls this process can hold with at most `maxOpenFiles` descriptors (`ulimit -n`; Infinity: no
 * limit). Logs a warning if that is fewer than `maxCalls`. Throws `AppError` unavailable if there are too few
 * descriptors for a single call.
 */
export function callsThatFit(maxCalls: number, maxOpenFiles: number, log: Pick<Logger, "warn">): number {
  const fitting = Math.floor((maxOpenFiles - FILES_RESERVED) / FILES_PER_CALL);
  if (fitting >= maxCalls) return maxCalls;
  const wantedOpenFiles = FILES_RESERVED + FILES_PER_CALL * maxCalls;
  if (fitting < 1)
    throw new AppError(
      "unavailable",
      `The limit of open files (ulimit -n) is ${maxOpenFiles}; ${maxCalls} calls need ${wantedOpenFiles}.`,
    );
  log.warn(
    { event: "open_files_limit_low", maxOpenFiles, wantedOpenFiles, maxCalls, admitted: fitting },
    "the limit of open files is too low for MAX_CALLS, fewer calls are taken",
  );
  return fitting;
}

/** This process's limit on open files; Infinity if there is none or it cannot be determined. */
export function maxOpenFiles(): number {
  // Otherwise the report resolves the peers of open sockets by name.
  Reflect.set(process.report, "excludeNetwork", true);
  const report: unknown = process.report.getReport();
  const limits: unknown = Reflect.get(Object(report), "userLimits");
  const soft: unknown = Reflect.get(Object(Reflect.get(Object(limits), "open_files")), "soft");
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
