import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { pooledClient } from "./pooled-client.ts";

const MARK = /^\s*-- prepared: ([\w-]+)\n/;
/** A connection that answered this recently is used without a probe. */
const TRUSTED_MS = 1_000;
/** How long other connections may take to answer the probe. */
const PROBE_MS = 1_000;
const RETRY_AFTER_SECS = 2;
/** node-postgres' message once `query_timeout` expires; the error has no code. */
const NO_ANSWER = "Query read timeout";
/** What PgBouncer says to the settings that a connection begins with. */
const POOLER = /unsupported startup parameter/;
/** SQLSTATE query_canceled, from the server's statement_timeout. */
const QUERY_CANCELED = "57014";

export interface CheckedPoolDeps {
  readonly clock: Clock;
  /** Called when a connection did not answer in time and was dropped, with all others silent since. */
  readonly onSilence?: ((error: Error) => void) | undefined;
  /** If a pooler lends connections for one transaction: what each is to begin with (`pooledClient`). */
  readonly setup?: string | undefined;
}

/** What the pool knows of a connection. */
interface CheckedClient {
  /** Monotonic ms of its last answer. */
  heardMs: number;
  /** Value of the pool's `epoch` at that time. */
  epoch: number;
  isSilent: boolean;
  readonly client: PostgresPoolClient;
}

/**
 * A node-postgres pool as Kysely sees it. An unresponsive connection is closed and never lent again, and so is every
 * other that has not answered since: a peer that vanishes takes all its connections along.
 *
 * A statement whose first line is `-- prepared: <name>` is planned once per connection instead of each time: for
 * statements run hundreds of times a second, planning costs as much as the work. Such a statement has one text,
 * whatever its parameters. A pooler's connections are not the same twice, so there it is planned each time.
 */
export function createCheckedPool(pool: pg.Pool, { clock, onSilence, setup }: CheckedPoolDeps): PostgresPool {
  const known = new WeakMap<pg.PoolClient, CheckedClient>();
  /** Counts the times a connection fell silent. */
  let epoch = 0;

  const fellSilent = (checked: CheckedClient, error: Error): void => {
    checked.isSilent = true;
    epoch += 1;
    onSilence?.(error);
  };

  const answered = (checked: CheckedClient): void => {
    checked.heardMs = clock.monotonicMs();
    checked.epoch = epoch;
  };

  async function connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await pool.connect().catch(explain);
      const nowMs = clock.monotonicMs();
      const checked = known.get(client);
      if (!checked) {
        const fresh = check(client, { answered, fellSilent, setup });
        answered(fresh);
        known.set(client, fresh);
        return fresh.client;
      }
      if (checked.epoch === epoch) {
        if (nowMs - checked.heardMs < TRUSTED_MS) return checked.client;
        const problem = await probe(client);
        if (problem === undefined) {
          answered(checked);
          return checked.client;
        }
        fellSilent(checked, problem);
      }
      client.release(true);
    }
  }
  return { options: pool.options, connect, end: () => pool.end() };
}

function explain(error: unknown): never {
  if (!POOLER.test(messageOf(error))) throw error;
  throw new AppError(
    "unavailable",
    `DATABASE_URL leads to a pooler (${messageOf(error)}): set DATABASE_DIRECT_URL to the Postgres behind it as well.`,
    { cause: error },
  );
}

async function probe(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query({ text: "select 1", query_timeout: PROBE_MS } as pg.QueryConfig);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function check(
  client: pg.PoolClient,
  deps: {
    readonly answered: (checked: CheckedClient) => void;
    readonly fellSilent: (checked: CheckedClient, error: Error) => void;
    readonly setup: string | undefined;
  },
): CheckedClient {
  async function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (checked.isSilent) throw silence();
    const name = deps.setup === undefined ? MARK.exec(text)?.[1] : undefined;
    const values = [...parameters];
    try {
      const { command, rowCount, rows } = await client.query(
        name === undefined ? { text, values } : { name, text, values },
      );
      deps.answered(checked);
      return { command: command as PostgresQueryResult<R>["command"], rowCount: rowCount ?? 0, rows };
    } catch (error) {
      if (messageOf(error) === NO_ANSWER) {
        deps.fellSilent(checked, error as Error);
        throw silence(error);
      }
      deps.answered(checked);
      throw Reflect.get(Object(error), "code") === QUERY_CANCELED ? tooSlow(error) : error;
    }
  }
  const own: PostgresPoolClient = {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy === true || checked.isSilent),
  };
  const checked: CheckedClient = {
    heardMs: 0,
    epoch: 0,
    isSilent: false,
    client: deps.setup === undefined ? own : pooledClient(own, deps.setup),
  };
  return checked;
}

function silence(cause?: unknown): AppError {
  return new AppError("unavailable", "The database is not responding. Try again shortly.", {
    cause,
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}

function tooSlow(cause: unknown): AppError {
  return new AppError("deadline_exceeded", "The database took too long. Try again shortly.", {
    cause,
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}
