import { AppError } from "@parley/shared/errors.ts";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { PgliteClient } from "./client.ts";
import { lockDirectory } from "./directory-lock.ts";

/** Borrowers queued for the one connection; beyond this the database counts as too busy. */
const MAX_WAITING = 1_000;

/** The one connection of an embedded Postgres, as `PgliteClient` has it. */
export type EmbeddedConnection = Pick<PgliteClient, "query" | "close">;

interface PgliteOptions {
  /** Directory of the database's files; undefined keeps it in memory. */
  readonly directory: string | undefined;
  /** Connects to an existing database instead of starting a thread for `directory`. */
  readonly connect: (() => Promise<EmbeddedConnection>) | undefined;
}

/** Kysely over the embedded Postgres in its thread. */
export function createPgliteDialect(options: PgliteOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PgliteDriver(options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Lends the one connection to one borrower at a time: otherwise another borrower's query would slip into an open
 * transaction and be rolled back with it.
 */
class PgliteDriver implements Driver {
  readonly #options: PgliteOptions;
  #client: EmbeddedConnection | undefined;
  #unlock: (() => Promise<void>) | undefined;
  #isLent = false;
  #waiting: (() => void)[] = [];

  constructor(options: PgliteOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { directory, connect = () => PgliteClient.open({ directory }) } = this.#options;
    if (directory !== undefined) this.#unlock = await lockDirectory(directory);
    try {
      this.#client = await connect();
    } catch (error) {
      await this.#unlock?.();
      throw error;
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = this.#client;
    if (!client) throw new Error("the embedded database was not opened");
    if (this.#waiting.length >= MAX_WAITING) {
      throw new AppError("unavailable", "The embedded database is overloaded. Try again shortly.");
    }
    if (this.#isLent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isLent = true;
    return new PgliteConnection(client);
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isLent = false;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await execute(connection, "begin");
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await execute(connection, "commit");
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await execute(connection, "rollback");
  }

  async destroy(): Promise<void> {
    await this.#client?.close();
    this.#client = undefined;
    await this.#unlock?.();
  }
}

class PgliteConnection implements DatabaseConnection {
  readonly #client: EmbeddedConnection;

  constructor(client: EmbeddedConnection) {
    this.#client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.run<R>(query.sql, query.parameters);
  }

  async run<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { rows, affectedRows } = await this.#client.query(sql, parameters);
    return {
      rows: rows as R[],
      ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }),
    };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("the embedded database does not stream rows");
  }
}

async function execute(connection: DatabaseConnection, sql: string): Promise<void> {
  if (connection instanceof PgliteConnection) await connection.run(sql, []);
}
