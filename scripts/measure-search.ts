import { parseArgs } from "node:util";
import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { searchesKnowledge } from "@parley/control-api/knowledge/search/search.ts";
import { wordsOfPart } from "@parley/control-api/knowledge/search/words.ts";
import { LARGE_ORG } from "@parley/loadtest/lists/fill-calls.ts";
import { fillParts, LARGE_BASE, questionsOf, WORDS_OF_PART } from "@parley/loadtest/lists/fill-parts.ts";
import { z } from "zod";

const QUESTIONS = 200;
const LIMIT_MS = 30;
const LIMIT = 5;
const HELP = `Times searches by words in a knowledge base of many parts, beside the limit of ${LIMIT_MS} ms.

  npx node scripts/measure-search.ts --database-url postgres://… [--fill 100000]

  --fill N   fills an empty database with a base of N parts first (100,000: two minutes, 400 MB)`;

const { values } = parseArgs({ options: { "database-url": { type: "string" }, fill: { type: "string" } } });
const { "database-url": databaseUrl, fill } = values;
if (databaseUrl === undefined) {
  console.log(HELP);
  process.exit(1);
}
const databases = await openDatabase({ databaseUrl });
await databases.unbounded(async ({ db }) => {
  await migrateToLatest(db);
  if (fill === undefined) return;
  const parts = z.coerce.number().int().min(1).parse(fill);
  await fillParts(db, {
    parts,
    wordsOfPart: WORDS_OF_PART,
    wordsOf: wordsOfPart,
    say: (line) => console.log(`  … ${line}`),
  });
});
const search = searchesKnowledge();
const times: number[] = [];
for (const text of ["a search that warms the cache", ...questionsOf(QUESTIONS)]) {
  const began = performance.now();
  await search(databases.reads, { orgId: LARGE_ORG, baseIds: [LARGE_BASE], text, limit: LIMIT });
  times.push(performance.now() - began);
}
await databases.close();
const sorted = times.slice(1).toSorted((a, b) => a - b);
const [median, p95] = [0.5, 0.95].map((q) => sorted[Math.ceil(q * sorted.length) - 1] ?? 0);
console.log(`p50 ${median?.toFixed(1)} ms, p95 ${p95?.toFixed(1)} ms of ${sorted.length} searches`);
process.exitCode = (p95 ?? 0) <= LIMIT_MS ? 0 : 1;
