import { messageOf } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Tables } from "../database/tables.ts";

/** A kind of job: its name (snake_case, unique) and its payload: ids, never what people said. */
export interface JobKind<P extends object> {
  readonly name: string;
  readonly payload: z.ZodType<P>;
}

/** One run of a job, as its handler sees it. */
export interface JobRun<P> {
  readonly jobId: string;
  /** Null if it belongs to no organization. */
  readonly orgId: string | null;
  readonly payload: P;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the process stops or loses the job: nothing done after that counts. */
  readonly signal: AbortSignal;
  /** Records progress for observers. Rejects if another process has the job now. */
  progress(progress: object): Promise<void>;
}

/**
 * Writes a job's result in the transaction that ends the job: exactly once, and only if this run still holds the job.
 * Uses `trx` and no other connection. The returned function is called after the commit.
 */
export type WriteResult = (trx: Kysely<Tables>) => Promise<void> | Promise<() => void>;

/** The job can never succeed and is not retried. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
}

export interface HandlerOptions<P = never> {
  /** Failed runs before the job becomes a dead letter; defaults to 8. */
  readonly attempts?: number;
  /** Wait after the first failure, doubling with each further one; defaults to 5 s. */
  readonly firstRetryMs?: number;
  /** The longest wait; defaults to 10 minutes. */
  readonly longestRetryMs?: number;
  /** Concurrent jobs of this kind per process; defaults to 4. */
  readonly sideBySide?: number;
  /** Claimed before jobs of other kinds, as somebody waits on the line; absent: false. */
  readonly isUrgent?: boolean;
  /**
   * What to write, beside the dead letter, once each process that ran the job ended before it did: no run of it was there
   * to say what became of its work.
   */
  readonly cutOff?: (payload: P) => WriteResult;
}

/** How a district's module handles a kind of job. */
export interface JobHandler {
  readonly kind: string;
  /** Interval of recurring work: its one job never finishes and never becomes a dead letter. */
  readonly everyMs?: number | undefined;
  readonly attempts: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  readonly sideBySide: number;
  readonly isUrgent: boolean;
  run(run: JobRun<unknown>): Running;
  /** Undefined if there is nothing to write. */
  cutOff?(payload: unknown): WriteResult | undefined;
}

/** A handler returns nothing, or what to write when the job ends. */
type Running = Promise<void> | Promise<WriteResult | undefined>;

/** Defines how to run jobs of a kind. Runs may repeat: a process may die before its result is written. */
export function handles<P extends object>(
  { name, payload }: JobKind<P>,
  run: (run: JobRun<P>) => Running,
  {
    attempts = 8,
    firstRetryMs = 5_000,
    longestRetryMs = 600_000,
    sideBySide = 4,
    isUrgent = false,
    cutOff,
  }: HandlerOptions<P> = {},
): JobHandler {
  return {
    kind: name,
    attempts,
    firstRetryMs,
    longestRetryMs,
    sideBySide,
    isUrgent,
    run: async (raw) => {
      const parsed = payload.safeParse(raw.payload);
      if (!parsed.success) throw new JobRefused(`its payload does not fit: ${messageOf(parsed.error)}`);
      const write = await run({ ...raw, payload: parsed.data });
      return typeof write === "function" ? write : undefined;
    },
    cutOff: (raw) => {
      const parsed = payload.safeParse(raw);
      return parsed.success ? cutOff?.(parsed.data) : undefined;
    },
  };
}

/** Work that recurs every `everyMs`, in one process at a time. A failed run is logged and repeated at its next time. */
export function every(
  everyMs: number,
  kind: string,
  run: (signal: AbortSignal) => Promise<void>,
): JobHandler {
  return {
    kind,
    everyMs,
    attempts: Number.POSITIVE_INFINITY,
    firstRetryMs: everyMs,
    longestRetryMs: everyMs,
    sideBySide: 1,
    isUrgent: false,
    run: ({ signal }) => run(signal),
  };
}

/** Delay before the next try in ms, after that many failures. */
export function retryAfterMs(
  { firstRetryMs, longestRetryMs }: Pick<JobHandler, "firstRetryMs" | "longestRetryMs">,
  attempts: number,
): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, attempts - 1));
}
