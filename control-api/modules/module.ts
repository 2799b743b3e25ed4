import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { JobHandler } from "../jobs/job-kind.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { Api } from "./api.ts";

/** What a district adds to the control API. Every part is optional; `open-modules.ts` lists the districts. */
export interface Module {
  /** Name of the district in log lines. */
  readonly name: string;
  /** Adds the routes. */
  routes?(app: Api): void | Promise<void>;
  /** Background work, done in whichever process claims it: kinds of jobs, and recurring work. */
  readonly jobs?: readonly JobHandler[];
  /** Recurring work of every process, based on what that process itself has seen. */
  readonly rounds?: readonly Round[];
  /** Reactions to recorded call events. */
  readonly subscriptions?: readonly Subscription[];
  /**
   * Called in the process that records events, at once, with a batch: for what is of use in that moment or never, and is
   * lost if the process dies. Everything else is a subscription. Never throws, and does not block the event projector.
   */
  onCallEvents?(events: readonly CallEvent[]): void;
  /** Erases the district's record of what was said. */
  readonly eraseContent?: EraseContent;
  /** Erases who the people of these sessions were, apart from what was said. Runs after `eraseContent`. */
  readonly forgetPeople?: ForgetPeople;
  /** Data about people who call and write: listed, exported and erased by person (docs/personal-data.md). */
  readonly personalData?: readonly PersonalData[];
  /** Data about people who may never have had a session, found by what they are known by. */
  readonly knownPeople?: readonly KnownPeople[];
  /** What of the district does not work in an organization and needs a person. */
  readonly troubles?: Trouble;
  /** Runs once the API listens; readiness waits for it. */
  start?(): void | Promise<void>;
  /** Takes no new work; resolves when pending work is finished. */
  stop?(): Promise<void>;
}

/** A round never overlaps itself within a process; one that takes longer than `everyMs` delays the next. */
export interface Round {
  /** Its name in log lines. */
  readonly name: string;
  readonly everyMs: number;
  /** `signal` aborts when the process stops, so that long rounds end early. */
  run(signal: AbortSignal): Promise<void>;
}

/** Calls whose content this transaction erases; their rows are locked. */
export interface ErasedCalls {
  readonly sessionIds: readonly string[];
  readonly at: Date;
}

/** Sessions of one organization. */
export interface OrgSessions {
  readonly orgId: string;
  readonly sessionIds: readonly string[];
}

/** One kind of data about people, in one or more tables. */
export interface PersonalData {
  /** Its name in lists and of its file in an export, such as `transcript`. */
  readonly name: string;
  /** Where it is stored. A test asks of each table with a `session_id` that it belongs to one kind, or why not. */
  readonly tables: readonly (keyof Tables)[];
  /** The data of these sessions in export form. Absent if other kinds cover it, or it is unreadable. */
  read?(db: Kysely<Tables>, sessions: OrgSessions): Promise<readonly object[]>;
}

/** A person by what they are known by. */
export interface OrgPerson {
  readonly orgId: string;
  /** A phone number as in records, or any other identifier, such as an email address. */
  readonly identifier: string;
}

/** One kind of data about people kept by number or identifier alone. */
export interface KnownPeople {
  /** Its name in lists and of its file in an export. */
  readonly name: string;
  /** The data about a person apart from their sessions. */
  read(db: Kysely<Tables>, person: OrgPerson): Promise<readonly object[]>;
  /** Locks what others lock before rows of other districts. Called for all kinds before any is forgotten. */
  lock?(trx: Kysely<Tables>, person: OrgPerson): Promise<void>;
  /** Deletes the person's identity; `inUse` counts entries that cannot be deleted yet. */
  forget(trx: Kysely<Tables>, person: OrgPerson): Promise<{ readonly gone: number; readonly inUse: number }>;
}

/** Lists what needs a person, as far as this member may know of it. */
export type Trouble = (member: AskingMember) => Promise<readonly OrgNotice[]>;

/** The member of an organization for whom troubles are listed. */
export interface AskingMember {
  readonly kind: "member";
  readonly userId: string;
  readonly orgId: string;
  readonly role: Role;
}

export type ForgetPeople = (trx: Kysely<Tables>, sessions: OrgSessions) => Promise<void>;

export type EraseContent = (trx: Kysely<Tables>, erased: ErasedCalls) => Promise<void>;
