import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite, types } from "@electric-sql/pglite";
import type { PgliteThreadData, QueryMessage, ThreadAnswer } from "./protocol.ts";

/**
 * pgvector for the embedded database, by its file: without the package the database works all the same, and knowledge
 * is searched by words alone.
 */
function vectorExtension(): { vector?: URL } {
  try {
    return { vector: new URL("./vector.tar.gz", import.meta.resolve("@electric-sql/pglite-pgvector")) };
  } catch {
    return {};
  }
}

/** The embedded Postgres, in its own thread: its WASM must never hold up the loop that paces audio. */
const { directory, snapshot } = workerData as PgliteThreadData;
const database = await PGlite.create({
  ...(directory === undefined ? {} : { dataDir: directory }),
  ...(snapshot === undefined ? {} : { loadDataDir: new Blob([await readFile(snapshot)]) }),
  extensions: vectorExtension(),
  // As in node-postgres, so that both databases return the same values.
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
