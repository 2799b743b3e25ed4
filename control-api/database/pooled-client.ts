import type { PostgresPoolClient, PostgresQueryResult } from "kysely";

const BEGINS = /^\s*(?:begin|start transaction)\b/i;
const ENDS = /^\s*(?:commit|rollback)\s*;?\s*$/i;

type Query = <R>(text: string, parameters: readonly unknown[]) => Promise<PostgresQueryResult<R>>;

/**
 * A connection to a pooler that lends a server connection for one transaction at a time (PgBouncer's
 * `pool_mode = transaction`). What is set for a session would reach whoever gets the server connection next, so
 * `setup` (`set local …` statements) goes along with each `begin`, at no round trip of its own. A statement outside of
 * a transaction gets one, for two more.
 */
export function pooledClient(client: PostgresPoolClient, setup: string): PostgresPoolClient {
  const send: Query = client.query.bind(client);
  let isOpen = false;
  let isUnusable = false;

  async function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (BEGINS.test(text)) {
      isOpen = true;
      return send(`${text}; ${setup}`, []);
    }
    if (isOpen) {
      if (ENDS.test(text)) isOpen = false;
      return send(text, parameters);
    }
    await send(`begin; ${setup}`, []);
    try {
      const result = await send<R>(text, parameters);
      await send("commit", []);
      return result;
    } catch (error) {
      await send("rollback", []).catch(() => {
        isUnusable = true;
      });
      throw error;
    }
  }
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => {
      // A transaction that its owner left open ends with the connection.
      client.release(destroy === true || isUnusable || isOpen);
    },
  };
}

/** Settings as `set local` statements; a timeout of 0 is none. */
export function setupOf(settings: Readonly<Record<string, string>>, statementTimeoutMs: number): string {
  return Object.entries({ ...settings, statement_timeout: String(statementTimeoutMs) })
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join("; ");
}
