import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildIndexes } from "@parley/control-api/database/build-indexes.ts";
import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { fillCalls } from "@parley/loadtest/lists/fill-calls.ts";
import { fillEvents } from "@parley/loadtest/lists/fill-events.ts";
import { startChild } from "@parley/loadtest/stack/child.ts";
import { sql } from "kysely";
import { z } from "zod";

const LOOK_EVERY_MS = 250;
/** What retention has to keep up with. */
const ENDED_A_MINUTE = 1_000;
const SMALL_ORGS = 350;
const HELP = `Measures how fast a control API deletes calls whose retention is over, with all they left.

  npx node scripts/measure-retention.ts --database-url postgres://… [--calls 20000]

The database must be empty. Each call has 32 events, 8 deliveries, 3 messages, 5 words and a recording.`;

const { values } = parseArgs({
  options: { "database-url": { type: "string" }, calls: { type: "string", default: "20000" } },
});
const databaseUrl = values["database-url"];
if (databaseUrl === undefined) {
  console.log(HELP);
  process.exit(1);
}
const calls = z.coerce.number().int().min(100).max(1_000_000).parse(values.calls);
const databases = await openDatabase({ databaseUrl });
const dataDir = await mkdtemp(join(tmpdir(), "parley-retention-"));
await databases.unbounded(async ({ db }) => {
  await migrateToLatest(db);
  await fillCalls(db, { calls, smallOrgs: SMALL_ORGS, say: (line) => console.log(`  … ${line}`) });
  await fillEvents(db);
});
await buildIndexes(databases);
console.log(`before: ${await sizeOf(databases)}`);
const controlApi = await startChild({
  command: [process.execPath, "control-api/main.ts"],
  env: {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    CONTROL_API_PORT: "0",
    APP_FRAMES_PORT: "0",
    RECORDING_RETENTION_DAYS: "30",
    // So that the deliveries are left for what is measured.
    APP_RETENTION_DAYS: "0",
  },
  ready: /control API ready/,
});
const { contentMs, filesMs } = await timesOf(databases);
await controlApi.stop();
console.log(`after:  ${await sizeOf(databases)}`);
const perMinute = aMinute(filesMs);
console.log(`${aMinute(contentMs)} calls a minute without their recordings`);
console.log(`${perMinute} calls a minute in all; ${ENDED_A_MINUTE} were asked for`);
await databases.close();
await rm(dataDir, { recursive: true, force: true });
process.exitCode = perMinute >= ENDED_A_MINUTE ? 0 : 1;

function aMinute(tookMs: number): number {
  return Math.round((calls * 60_000) / tookMs);
}

/** Until what was said in all calls was deleted, and until their recordings were, too. */
async function timesOf({ background: { db } }: Databases): Promise<{ contentMs: number; filesMs: number }> {
  let [beganMs, contentMs] = [performance.now(), 0];
  for (;;) {
    const { rows } = await sql<{ kept: string; recordings: string }>`
      select (select count(*) from calls where content_deleted_at is null) as kept,
        (select count(*) from recordings) as recordings`.execute(db);
    const [kept, recordings] = [Number(rows[0]?.kept), Number(rows[0]?.recordings)];
    if (kept === calls) beganMs = performance.now();
    if (kept === 0) contentMs ||= performance.now() - beganMs;
    if (kept === 0 && recordings === 0) return { contentMs, filesMs: performance.now() - beganMs };
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function sizeOf({ background: { db } }: Databases): Promise<string> {
  const { rows } = await sql<{ size: string; dead: string; live: string }>`
    select pg_size_pretty(pg_database_size(current_database())) as size,
      sum(n_dead_tup)::text as dead, sum(n_live_tup)::text as live from pg_stat_user_tables`.execute(db);
  const [found] = rows;
  return `${found?.size}, ${found?.live} rows, ${found?.dead} dead ones`;
}
