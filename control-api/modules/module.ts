import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { JobHandler } from "../jobs/job-kind.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
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
  /** What it does when call events were recorded. */
  readonly subscriptions?: readonly Subscription[];
  /** A call event was recorded for the first time. Never throws, and does not hold the event projector up. */
  onCallEvent?(event: CallEvent): void;
  /** Erases what the district keeps of what was said. */
  readonly eraseContent?: EraseContent;
  /** Erases who the people of these sessions were, where that is not what was said. After `eraseContent`. */
  readonly forgetPeople?: ForgetPeople;
  /** What it keeps of the people who call and write: listed, exported and erased by person (docs/personal-data.md). */
  readonly personalData?: readonly PersonalData[];
  /** What it keeps of people with whom there may have been no session: found by what they are known by. */
  readonly knownPeople?: readonly KnownPeople[];
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

/** Calls whose content is erased in this transaction; their rows are locked. */
export interface ErasedCalls {
  readonly sessionIds: readonly string[];
  readonly at: Date;
}

/** Sessions of one organization. */
export interface OrgSessions {
  readonly orgId: string;
  readonly sessionIds: readonly string[];
}

/** One kind of what is kept of people, in a table or more. */
export interface PersonalData {
  /** Names it in lists, and its file in an export: `transcript`. */
  readonly name: string;
  /** Where it stands; each table with a `session_id` is of one kind, or a test asks why not. */
  readonly tables: readonly (keyof Tables)[];
  /** What there is of these sessions, as an export has it. Absent: what other kinds show, or nothing that can be read. */
  read?(db: Kysely<Tables>, sessions: OrgSessions): Promise<readonly object[]>;
}

/** Somebody by what they are known by. */
export interface OrgPerson {
  readonly orgId: string;
  /** A telephone number as records have it, or any other word, such as an email address. */
  readonly identifier: string;
}

/** One kind of what is kept of people by their number or identifier alone. */
export interface KnownPeople {
  /** Names it in lists, and its file in an export. */
  readonly name: string;
  /** What there is of them beside their sessions. */
  read(db: Kysely<Tables>, person: OrgPerson): Promise<readonly object[]>;
  /** Deletes who they are; `inUse` says how many entries cannot go yet. */
  forget(trx: Kysely<Tables>, person: OrgPerson): Promise<{ readonly gone: number; readonly inUse: number }>;
}

export type ForgetPeople = (trx: Kysely<Tables>, sessions: OrgSessions) => Promise<void>;

export type EraseContent = (trx: Kysely<Tables>, erased: ErasedCalls) => Promise<void>;
