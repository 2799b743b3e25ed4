import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { JobHandler } from "../jobs/job-kind.ts";
import type { Api } from "./api.ts";

/** What a district of the control API adds to it. Each part is optional; `open-modules.ts` lists the districts. */
export interface Module {
  /** The district, as log lines name it. */
  readonly name: string;
  /** Adds the routes. */
  routes?(app: Api): void | Promise<void>;
  /** Work beside requests, done in whichever process claims it: kinds of jobs, and what comes again and again. */
  readonly jobs?: readonly JobHandler[];
  /** What each process does again and again, because it lives on what that process has seen. */
  readonly rounds?: readonly Round[];
  /** What is written together with call events. */
  readonly raise?: Raise;
  /** A call event was recorded for the first time. Never throws, and does not hold the event projector up. */
  onCallEvent?(event: CallEvent): void;
  /** Erases what the district keeps of what was said. */
  readonly eraseContent?: EraseContent;
  /** The API listens; it is ready when this is done. */
  start?(): void | Promise<void>;
  /** Takes nothing new; resolves when what was begun is finished. */
  stop?(): Promise<void>;
}

/** Never at work twice in one process; a round that takes longer than `everyMs` makes the next one later. */
export interface Round {
  /** As log lines name it. */
  readonly name: string;
  readonly everyMs: number;
  /** `signal` is aborted when the process stops: a long round ends early. */
  run(signal: AbortSignal): Promise<void>;
}

/** What else follows from call events. */
export interface Raise {
  /** In the transaction that records them; gives how much there is to send. */
  readonly inTransaction: (trx: Database["db"], events: readonly CallEvent[]) => Promise<number>;
  /** There is something to send, and it is committed. */
  readonly committed: () => void;
}

/** Calls whose content is erased in this transaction; their rows are locked. */
export interface ErasedCalls {
  readonly sessionIds: readonly string[];
  readonly at: Date;
}

export type EraseContent = (trx: Kysely<Tables>, erased: ErasedCalls) => Promise<void>;
