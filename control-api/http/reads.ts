import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../database/open.ts";
import type { ReadReplica } from "../database/read-replica.ts";
import type { KeyPrincipal, MemberPrincipal } from "./access/principal.ts";

/** Concurrent reads per key or member. */
const EACH_PRINCIPAL = 2;
/** Queued reads per key or member: a page sends a handful at once. */
const WAITING_EACH = 8;
/** Maximum wait in the queue. */
const WAIT_MS = 5_000;
const RETRY_AFTER_SECS = 1;
const TOO_SLOW_RETRY_SECS = 5;

export interface ReadsDeps {
  /** Has its own connections: `Databases.reads`. */
  readonly database: Database;
  /** Answers `run` instead, if there is one. */
  readonly replica?: Pick<ReadReplica, "read"> | undefined;
  /** Number of its connections. */
  readonly connections: number;
  readonly clock: Clock;
}

/** Whoever reads: a key, or a member of an organization. */
type Reader =
  | Pick<KeyPrincipal, "kind" | "keyId" | "orgId">
  | Pick<MemberPrincipal, "kind" | "userId" | "orgId">;

interface Waiting {
  readonly principal: string;
  readonly org: string;
  readonly begin: () => void;
}

/**
 * Schedules lists and searches, which can burden the database however they are asked. One connection stays free for
 * reads by id, one organization never gets all the others, and a key or member gets two. Further requests queue; with
 * eight waiting, they fail with `too_many_requests`.
 */
export class Reads {
  readonly #deps: ReadsDeps;
  readonly #limits: { readonly all: number; readonly org: number };
  readonly #running: Waiting[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(deps: ReadsDeps) {
    this.#deps = deps;
    const all = Math.max(1, deps.connections - 1);
    this.#limits = { all, org: Math.max(1, all - 1) };
  }

  /** For reads by id, which are cheap. */
  get database(): Database {
    return this.#deps.database;
  }

  /**
   * `work` only reads; on a replica, if there is one, which then has everything committed before, and once more on the
   * primary if that fails. Throws `AppError` too_many_requests, search_too_slow, and what `work` throws.
   */
  run<T>(who: Reader, work: (database: Database) => Promise<T>): Promise<T> {
    const { database, replica } = this.#deps;
    return this.#inTurn(who, () => (replica ? replica.read(work) : work(database)));
  }

  /** Like `run`, but on the primary: for reads that decide what is written. */
  runOnPrimary<T>(who: Reader, work: (database: Database) => Promise<T>): Promise<T> {
    return this.#inTurn(who, () => work(this.#deps.database));
  }

  async #inTurn<T>(who: Reader, work: () => Promise<T>): Promise<T> {
    const principal = who.kind === "key" ? who.keyId : who.userId;
    const turn = await this.#takeTurn(principal, who.orgId);
    try {
      return await work();
    } catch (error) {
      throw error instanceof AppError && error.code === "deadline_exceeded" ? tooSlow(error) : error;
    } finally {
      this.#running.splice(this.#running.indexOf(turn), 1);
      this.#beginNext();
    }
  }

  #takeTurn(principal: string, org: string): Promise<Waiting> {
    if (this.#waiting.filter((other) => other.principal === principal).length >= WAITING_EACH)
      throw tooMany();
    return new Promise((resolve, reject) => {
      const giveUp = this.#deps.clock.after(WAIT_MS, () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(tooMany());
      });
      const begin = (): void => {
        giveUp();
        resolve(turn);
      };
      const turn: Waiting = { principal, org, begin };
      this.#waiting.push(turn);
      this.#beginNext();
    });
  }

  /** Of those that may begin, starts the first one of the organization with the fewest under way. */
  #beginNext(): void {
    while (this.#running.length < this.#limits.all) {
      const next = this.#waiting
        .filter((one) => this.#mayBegin(one))
        .reduce<Waiting | undefined>(
          (best, one) => (best && this.#ofOrg(best) <= this.#ofOrg(one) ? best : one),
          undefined,
        );
      if (!next) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.push(next);
      next.begin();
    }
  }

  #mayBegin(one: Waiting): boolean {
    const ofPrincipal = this.#running.filter(({ principal }) => principal === one.principal).length;
    return ofPrincipal < EACH_PRINCIPAL && this.#ofOrg(one) < this.#limits.org;
  }

  #ofOrg({ org }: Waiting): number {
    return this.#running.filter((other) => other.org === org).length;
  }
}

function tooMany(): AppError {
  const message =
    "Too many lists and searches are under way for this key or member; wait for some of them to be answered.";
  return new AppError("too_many_requests", message, { retryAfterSecs: RETRY_AFTER_SECS });
}

function tooSlow(cause: AppError): AppError {
  const message =
    "The search took too long. Narrow it: a time by `from` and `to`, another filter, or a longer text or number.";
  return new AppError("search_too_slow", message, { cause, retryAfterSecs: TOO_SLOW_RETRY_SECS });
}
