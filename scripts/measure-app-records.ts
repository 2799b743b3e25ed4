import { parseArgs } from "node:util";
import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { fillRecords, listAs, RECORD_LISTS } from "../testkit/app-records.ts";

const ROUNDS = 40;
const LIMIT_MS = 50;
const HELP = `Times lists of an app's records beside the limit of ${LIMIT_MS} ms for 95 of 100 of them.

  npx node scripts/measure-app-records.ts --database-url postgres://… [--records 100000]      the database is empty`;

const { values } = parseArgs({
  options: { "database-url": { type: "string" }, records: { type: "string", default: "100000" } },
});
const { "database-url": databaseUrl, records } = values;
if (databaseUrl === undefined) {
  console.log(HELP);
  process.exit(1);
}
const databases = await openDatabase({ databaseUrl });
await migrateToLatest(databases.db);
const storeId = await databases.unbounded(({ db }) => fillRecords(db, Number(records)));
let missed = 0;
for (const [name, list] of Object.entries(RECORD_LISTS)) {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now();
    found = (await listAs(databases.db, storeId, list)).length;
    if (round > 0) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  const isMissed = at(0.95) > LIMIT_MS;
  if (isMissed) missed += 1;
  const figures = `p50 ${at(0.5).toFixed(1).padStart(6)} ms  p95 ${at(0.95).toFixed(1).padStart(6)} ms`;
  console.log(`${name.padEnd(36)} ${figures}  ${found} found${isMissed ? `  MISSED ${LIMIT_MS} ms` : ""}`);
}
console.log(missed === 0 ? "All are within the limit." : `${missed} are not within the limit.`);
process.exitCode = missed === 0 ? 0 : 1;
await databases.close();
