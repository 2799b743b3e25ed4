/**
 * Lists, reruns and drops dead jobs, which used up their attempts.
 * Reads the same environment as the control API, whose database holds them.
 *
 * Usage: node scripts/dead-jobs.ts list
 *        node scripts/dead-jobs.ts rerun <id>|all
 *        node scripts/dead-jobs.ts drop <id>|all
 */
import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import {
  type DeadJob,
  deleteDeadJobs,
  listDeadJobs,
  rerunDeadJobs,
} from "@parley/control-api/jobs/dead-jobs.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";

const USAGE = "Usage: dead-jobs.ts list | rerun <id>|all | drop <id>|all";

/** Throws with a message for the user. */
async function run(database: Database, [command, id]: readonly string[]): Promise<void> {
  const dead = await listDeadJobs(database);
  if (command === "list") return list(dead);
  if (id === undefined || (command !== "rerun" && command !== "drop")) throw new Error(USAGE);
  const ids = dead.filter((job) => id === "all" || job.id === id).map((job) => job.id);
  if (ids.length === 0 && id === "all") return list([]);
  if (ids.length === 0) throw new Error(`No dead job has the id ${id}.`);
  if (command === "rerun") {
    const rerun = await rerunDeadJobs(database, ids, new Date(systemClock.wallMs()));
    console.log(`${rerun} of them will be tried again within seconds`);
  } else console.log(`${await deleteDeadJobs(database, ids)} of them were dropped`);
}

function list(dead: readonly DeadJob[]): void {
  for (const { id, kind, owner, diedAt, attempts, error, payload } of dead)
    console.log(
      [id, diedAt?.toISOString(), kind, owner, `tries ${attempts}`, error, JSON.stringify(payload)].join(
        "  ",
      ),
    );
  console.log(dead.length === 1 ? "1 job" : `${dead.length} jobs`);
}

const { databaseUrl, directUrl } = loadConfig(process.env).storage;
if (databaseUrl === undefined) {
  console.error("DATABASE_URL is not set. The embedded database can be used by its own process only.");
  process.exit(1);
}
const database = await openDatabase({ databaseUrl, directUrl });
try {
  await run(database, process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  await database.close();
}
