import { createHash, randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { buildIndexes } from "@parley/control-api/database/build-indexes.ts";
import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** File of an embedded database with all tables, empty. */
    databaseSnapshot: string;
  }
}

const ROOT = resolve(import.meta.dirname, "..");
const KEPT_IN = join(ROOT, "node_modules/.cache/parley");

/** Creating a database costs a second or more of CPU, and most test files need one: they start from a copy. */
export default async function provideSnapshot({ provide }: TestProject): Promise<void> {
  const file = join(KEPT_IN, `database-${await fingerprint()}.tar`);
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) await writeSnapshot(file);
  provide("databaseSnapshot", file);
}

/** Hash of everything that determines the content. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  const pglite = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const migrations = globSync("control-api/database/{migrations/*,long-indexes}.ts", {
    cwd: ROOT,
  }).toSorted();
  for (const source of [pglite, ...migrations.map((path) => join(ROOT, path))])
    hash.update(await readFile(source));
  return hash.digest("hex").slice(0, 16);
}

async function writeSnapshot(file: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-snapshot-"));
  try {
    const database = await openDatabase({ dataDir });
    await migrateToLatest(database.db);
    await buildIndexes(database);
    await database.close();
    const copied = await PGlite.create({ dataDir: join(dataDir, "postgres") });
    const dump = await copied.dumpDataDir("none");
    await copied.close();
    await mkdir(KEPT_IN, { recursive: true });
    // Another run may do the same concurrently: the last one also leaves a complete file.
    const unfinished = `${file}.${randomUUID()}`;
    await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
    await rename(unfinished, file);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
