import type { TestControlApi } from "./control-api.ts";

/** Runs something while a table is missing: an unforeseen fault gives a 500 and log lines, which it returns. */
export async function withoutTable(
  { database: { db }, logged }: TestControlApi,
  table: string,
  work: () => Promise<void>,
): Promise<string[]> {
  const before = logged.length;
  const rename = (from: string, to: string) => db.schema.alterTable(from).renameTo(to).execute();
  await rename(table, `${table}_away`);
  await work().finally(() => rename(`${table}_away`, table));
  return logged.slice(before);
}
