import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";

const MARK = /^\s*-- prepared: ([\w-]+)\n/;

/**
 * What Kysely sees of a pool of node-postgres. A statement that begins with a line `-- prepared: <name>` is planned once
 * on each connection instead of each time: for those that run hundreds of times a second planning costs as much as the
 * work. Such a statement has one text, whatever its parameters.
 */
export function createPreparingPool(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const preparing = known.get(client) ?? prepareMarked(client);
      known.set(client, preparing);
      return preparing;
    },
    end: () => pool.end(),
  };
}

function prepareMarked(client: pg.PoolClient): PostgresPoolClient {
  async function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const name = MARK.exec(text)?.[1];
    const values = [...parameters];
    const { command, rowCount, rows } = await client.query(
      name === undefined ? { text, values } : { name, text, values },
    );
    return { command: command as PostgresQueryResult<R>["command"], rowCount: rowCount ?? 0, rows };
  }
  return { query: query as PostgresPoolClient["query"], release: (destroy) => client.release(destroy) };
}
