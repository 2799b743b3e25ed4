import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite, types } from "@electric-sql/pglite";
import type { PgliteThreadData, QueryMessage, ThreadAnswer } from "./protocol.ts";

/** The embedded Postgres, in a thread of its own: its WASM must never hold up the loop that paces audio. */
const { directory, snapshot } = workerData as PgliteThreadData;
const database = await PGlite.create({
  ...(directory === undefined ? {} : { dataDir: directory }),
  ...(snapshot === undefined ? {} : { loadDataDir: new Blob([await readFile(snapshot)]) }),
  // As node-postgres has them, so that both databases give the same values.
  parsers: { [types.INT8]: (text: string) => text, [types.DATE]: (text: string) => text },
});

parentPort?.on("message", (message: QueryMessage | "close") => {
  if (message === "close") void close();
  else void answer(message);
});
parentPort?.postMessage("ready");

async function answer({ id, sql, parameters }: QueryMessage): Promise<void> {
  parentPort?.postMessage(await run(id, sql, [...parameters]));
}

async function run(id: number, sql: string, parameters: unknown[]): Promise<ThreadAnswer> {
  try {
    const { rows, affectedRows } = await database.query(sql, parameters);
    return { id, rows, affectedRows };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [code, constraint, table] = ["code", "constraint", "table"].map((field) => textOf(error, field));
    return { id, error: { message, code, constraint, table } };
  }
}

function textOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Reflect.get(error, field);
  return typeof value === "string" ? value : undefined;
}

async function close(): Promise<void> {
  await database.close();
  parentPort?.postMessage("closed");
  parentPort?.close();
}
