import type { Tables } from "@parley/control-api/database/tables.ts";
import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode } from "kysely";

export interface Explained {
  readonly sql: string;
  /** Lines of the plan. */
  readonly plan: readonly string[];
}

/** Runs `work` with a database; returns the plan of each statement. */
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

/** Tables that a plan scans sequentially. */
export function scannedTables({ plan }: Explained): string[] {
  return plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
}

/** The most rows one step of a plan returned, over all loops. */
export function rowsRead({ plan }: Explained): number {
  const steps = plan.map((line) => /actual time=\S+ rows=(\d+) loops=(\d+)/.exec(line) ?? []);
  return Math.max(0, ...steps.map(([, rows = "0", loops = "0"]) => Number(rows) * Number(loops)));
}

/** The most rows one step of a plan read and discarded. */
export function rowsReadForNothing({ plan }: Explained): number {
  return Math.max(0, ...plan.map((line) => Number(/Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? 0)));
}
