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
import { AppError } from "../../errors.ts";
import { PgliteClient } from "./client.ts";
import { lockDirectory } from "./directory-lock.ts";
import type { PgliteThreadData } from "./protocol.ts";

/** Borrowers in the queue for the one connection; past it the database is told to be too busy. */
const MAX_WAITING = 1_000;

/** Kysely over the embedded Postgres in its thread. */
export function createPgliteDialect(data: PgliteThreadData): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PgliteDriver(data),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * There is one connection. It is lent to one borrower at a time: otherwise a query of somebody else would
 * slip into an open transaction and be rolled back with it.
 */
class PgliteDriver implements Driver {
  readonly #data: PgliteThreadData;
  #client: PgliteClient | undefined;
  #unlock: (() => Promise<void>) | undefined;
  #isLent = false;
  #waiting: (() => void)[] = [];

  constructor(data: PgliteThreadData) {
    this.#data = data;
  }

  async init(): Promise<void> {
    const { directory } = this.#data;
    if (directory !== undefined) this.#unlock = await lockDirectory(directory);
    try {
      this.#client = await PgliteClient.open(this.#data);
    } catch (error) {
      await this.#unlock?.();
      throw error;
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = this.#client;
    if (!client) throw new Error("the embedded database was not opened");
    if (this.#waiting.length >= MAX_WAITING) {
      throw new AppError("unavailable", "The embedded database has too much to do; try again shortly.");
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
  readonly #client: PgliteClient;

  constructor(client: PgliteClient) {
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
