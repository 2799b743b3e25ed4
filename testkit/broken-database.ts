import type { TestControlApi } from "./control-api.ts";

/** Does something while a table is not there: what nobody foresaw is a 500, and in the log. Gives the lines of that. */
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
