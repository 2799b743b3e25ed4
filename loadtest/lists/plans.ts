import type { Tables } from "@parley/control-api/database/tables.ts";
import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode } from "kysely";

export interface Explained {
  readonly sql: string;
  /** Each line of the plan. */
  readonly plan: readonly string[];
}

/** Does `work` with a database, and gives how that planned each statement. */
export async function explain(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<Explained[]> {
  const nodes: RootOperationNode[] = [];
  const notes: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(notes));
  const explained: Explained[] = [];
  for (const node of nodes) {
    const query = db.getExecutor().compileQuery(node, { queryId: "explained" });
    const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>(
      CompiledQuery.raw(`explain (analyze, buffers) ${query.sql}`, [...query.parameters]),
    );
    explained.push({ sql: query.sql, plan: rows.map((row) => row["QUERY PLAN"]) });
  }
  return explained;
}

/** The tables that a plan reads from end to end. */
export function scannedTables({ plan }: Explained): string[] {
  return plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
}

/** The most rows that one step of a plan read for nothing. */
export function rowsReadForNothing({ plan }: Explained): number {
  return Math.max(0, ...plan.map((line) => Number(/Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? 0)));
}
