import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildIndexes } from "@parley/control-api/database/build-indexes.ts";
import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { forgetEvents } from "@parley/control-api/records/retention/forget-events.ts";
import { fillCalls } from "@parley/loadtest/lists/fill-calls.ts";
import { fillEvents } from "@parley/loadtest/lists/fill-events.ts";
import { startChild } from "@parley/loadtest/stack/child.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { sql } from "kysely";
import { z } from "zod";

const LOOK_EVERY_MS = 1_000;
/** What retention has to keep up with. */
const ENDED_A_MINUTE = 1_000;
const SMALL_ORGS = 350;
/** How long before their events are forgotten the contents of a round's calls were deleted, as far as Postgres knows. */
const FORGOTTEN_AFTER = "9 days";
/** Tables of which a deletion leaves nothing. That of events keeps a row each for eight days, without what was said; that of words is kept. */
const EMPTIED = ["call_messages", "recordings", "webhook_deliveries"];
const HELP = `Measures how fast a control API deletes calls whose retention is over, with all they left, and what that leaves of the
tables: in each round, as many new calls come and are deleted, and their events forgotten. Vacuum is Postgres' own (autovacuum).

  npx node scripts/measure-retention.ts --database-url postgres://… [--calls 20000] [--rounds 1]

The database must be empty. Each call has 32 events, 8 deliveries, 3 messages, 5 words and a recording.`;

const { values } = parseArgs({
  options: {
    "database-url": { type: "string" },
    calls: { type: "string", default: "20000" },
    rounds: { type: "string", default: "1" },
  },
});
const databaseUrl = values["database-url"] ?? "";
if (databaseUrl === "") {
  console.log(HELP);
  process.exit(1);
}
const calls = z.coerce.number().int().min(100).max(1_000_000).parse(values.calls);
const rounds = z.coerce.number().int().min(1).max(1_000).parse(values.rounds);
const databases = await openDatabase({ databaseUrl });
const dataDir = await mkdtemp(join(tmpdir(), "parley-retention-"));
await databases.unbounded(({ db }) => migrateToLatest(db));
let slowest = Number.POSITIVE_INFINITY;
for (let round = 0; round < rounds; round++) {
  await fill(round);
  console.log(`round ${round + 1}, before: ${await sizeOf(databases)}`);
  const { contentMs, filesMs } = await deleteAll();
  console.log(`round ${round + 1}, after:  ${await sizeOf(databases)}`);
  console.log(`  ${aMinute(contentMs)} calls a minute without their recordings`);
  console.log(`  ${aMinute(filesMs)} calls a minute in all; ${ENDED_A_MINUTE} were asked for`);
  const forgottenMs = await forgetAll();
  console.log(`round ${round + 1}, forgotten: ${await sizeOf(databases)}`);
  console.log(`  ${aMinute(forgottenMs)} calls a minute whose events are forgotten`);
  slowest = Math.min(slowest, aMinute(filesMs));
}
await databases.close();
await rm(dataDir, { recursive: true, force: true });
process.exitCode = slowest >= ENDED_A_MINUTE ? 0 : 1;

async function fill(round: number): Promise<void> {
  const part = { from: round * calls, to: (round + 1) * calls };
  await databases.unbounded(async ({ db }) => {
    await fillCalls(db, { calls: rounds * calls, smallOrgs: SMALL_ORGS, part, say: () => undefined });
    await fillEvents(db);
  });
  await buildIndexes(databases);
}

async function deleteAll(): Promise<{ contentMs: number; filesMs: number }> {
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
  const times = await timesOf(databases);
  await controlApi.stop();
  return times;
}

async function forgetAll(): Promise<number> {
  await databases.unbounded(({ db }) =>
    sql`update calls set content_deleted_at = content_deleted_at - ${FORGOTTEN_AFTER}::interval
      where session_id in (select session_id from call_events)`.execute(db),
  );
  const beganMs = performance.now();
  await forgetEvents({ database: databases.background, clock: systemClock });
  return performance.now() - beganMs;
}

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
  const { rows } = await sql<Record<"size" | "emptied" | "events" | "dead" | "live" | "vacuums", string>>`
    select pg_size_pretty(pg_database_size(current_database())) as size,
      pg_size_pretty(sum(pg_total_relation_size(relid)) filter (where relname = any(${EMPTIED}::text[]))) as emptied,
      pg_size_pretty(sum(pg_total_relation_size(relid)) filter (where relname = 'call_events')) as events,
      sum(n_dead_tup)::text as dead, sum(n_live_tup)::text as live, sum(autovacuum_count)::text as vacuums
    from pg_stat_user_tables`.execute(db);
  const [found] = rows;
  const tables = `tables that are emptied ${found?.emptied}, events ${found?.events}`;
  return `${found?.size} (${tables}), ${found?.live} rows, ${found?.dead} dead, ${found?.vacuums} vacuums`;
}
