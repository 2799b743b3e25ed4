import { messageOf } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Tables } from "../database/tables.ts";

/** A kind of job: what it is called (snake_case, unique), and what its payload holds: ids, never what people said. */
export interface JobKind<P extends object> {
  readonly name: string;
  readonly payload: z.ZodType<P>;
}

/** One run of a job, as its handler sees it. */
export interface JobRun<P> {
  readonly jobId: string;
  /** Null: of no organization. */
  readonly orgId: string | null;
  readonly payload: P;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the process stops, or the job is somebody else's now: nothing that is done after that counts. */
  readonly signal: AbortSignal;
  /** Notes how far it is, for whoever looks. Rejects when the job is somebody else's now. */
  progress(progress: object): Promise<void>;
}

/**
 * Written in the transaction in which the job ends, so once, and only if the job is still this run's. Uses `trx` and no other
 * connection. What it gives is called once that is committed.
 */
export type WriteResult = (trx: Kysely<Tables>) => Promise<void> | Promise<() => void>;

/** The job can never succeed: it is not tried again. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
}

export interface HandlerOptions {
  /** Runs that may fail before the job is a dead letter; 8 when absent. */
  readonly attempts?: number;
  /** Wait after the first failure, doubled with each further one; 5 s when absent. */
  readonly firstRetryMs?: number;
  /** The longest wait; 10 minutes when absent. */
  readonly longestRetryMs?: number;
  /** Of this kind in one process; 4 when absent. */
  readonly sideBySide?: number;
}

/** What a district's module says of a kind: how it is done. */
export interface JobHandler {
  readonly kind: string;
  /** How often it comes again, of those that do: its one job is never over, and never dead. */
  readonly everyMs?: number | undefined;
  readonly attempts: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  readonly sideBySide: number;
  run(run: JobRun<unknown>): Running;
}

/** What a handler gives: nothing, or what is to be written with the end of the job. */
type Running = Promise<void> | Promise<WriteResult | undefined>;

/** How jobs of a kind are done. A run may be repeated: its process may die before what it did is written. */
export function handles<P extends object>(
  { name, payload }: JobKind<P>,
  run: (run: JobRun<P>) => Running,
  { attempts = 8, firstRetryMs = 5_000, longestRetryMs = 600_000, sideBySide = 4 }: HandlerOptions = {},
): JobHandler {
  return {
    kind: name,
    attempts,
    firstRetryMs,
    longestRetryMs,
    sideBySide,
    run: async (raw) => {
      const parsed = payload.safeParse(raw.payload);
      if (!parsed.success) throw new JobRefused(`its payload does not fit: ${messageOf(parsed.error)}`);
      const write = await run({ ...raw, payload: parsed.data });
      return typeof write === "function" ? write : undefined;
    },
  };
}

/**
 * Work that comes again every `everyMs`, in one process at a time. One that fails is logged, and tried again at its next time.
 */
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
    run: ({ signal }) => run(signal),
  };
}

/** Until the next try, in ms, after so many failures. */
export function retryAfterMs(
  { firstRetryMs, longestRetryMs }: Pick<JobHandler, "firstRetryMs" | "longestRetryMs">,
  attempts: number,
): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, attempts - 1));
}
