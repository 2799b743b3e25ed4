import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../testkit/product.ts";

/** A statement that writes a table, by Kysely or in SQL of its own. */
const WRITES =
  /(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*"(?:\w+ as )?(\w+)"|\b(?:update|insert into|delete from) ([a-z_]+) (?:\w+\s+)?(?:set\b|\(|where\b|values\b|using\b)/g;
const NOT_PRODUCTION = /\.test\.ts$|\.contract\.ts$|^control-api\/database\//;

/** Tables with rows that several districts have a part of: who writes, and what. */
const DIVIDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organizations: {
    identity: "which there are",
    agents: "their PII policy",
    records: "their retention and hold",
  },
  api_keys: { identity: "which there are", http: "when they were used, by what lets requests in" },
  client_tokens: {
    agents: "which there are",
    identity: "away with an account that proved nothing: it lies below",
  },
  app_keys: { apps: "which there are", identity: "away with an account that proved nothing, too" },
  webhook_endpoints: { webhooks: "which there are", identity: "off with an account that proved nothing" },
};

/** Where the row of a call is written; everybody else calls its functions. */
const CALLS = "control-api/records/call-rows/";

const writers = globSync("control-api/**/*.ts", { cwd: ROOT })
  .filter((path) => !NOT_PRODUCTION.test(path) && !path.includes("node_modules"))
  .flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(WRITES)].map(([, byKysely, bySql]) => ({
      table: byKysely ?? bySql ?? "",
      path,
      district: path.split("/")[1] ?? "",
    })),
  );

test("the row of a call is written in one place", () => {
  const paths = writers.filter(({ table }) => table === "calls").map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !path.startsWith(CALLS))).toEqual([]);
});

test("each table is written by one district, or by those that its rows are divided among", () => {
  const byTable = Map.groupBy(writers, ({ table }) => table);
  expect(byTable.size).toBeGreaterThan(25);
  const foreign = [...byTable].flatMap(([table, found]) => {
    const districts = [...new Set(found.map(({ district }) => district))].sort();
    const allowed = DIVIDED[table] ? Object.keys(DIVIDED[table]).sort() : districts.slice(0, 1);
    return districts.join() === allowed.join() ? [] : [`${table}: ${districts.join(", ")}`];
  });
  expect(foreign).toEqual([]);
});
