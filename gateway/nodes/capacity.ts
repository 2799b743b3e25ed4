import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

/** A caller's socket, the brain and one asked ahead, recognizer, voice, recording. */
const FILES_PER_CALL = 6;
/** Redis, logs, listening sockets, scrapes, watchers, and what the runtime has open itself. */
const FILES_RESERVED = 100;

/**
 * Calls this process can hold with at most `maxOpenFiles` descriptors (`ulimit -n`; Infinity: no limit). Fewer than
 * `maxCalls` is told in the log. Throws `AppError` unavailable when there are too few for a single call.
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

/** The limit of open files of this process; Infinity where there is none or it cannot be told. */
export function maxOpenFiles(): number {
  // Otherwise the peers of open sockets are looked up by name.
  Reflect.set(process.report, "excludeNetwork", true);
  const report: unknown = process.report.getReport();
  const limits: unknown = Reflect.get(Object(report), "userLimits");
  const soft: unknown = Reflect.get(Object(Reflect.get(Object(limits), "open_files")), "soft");
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
