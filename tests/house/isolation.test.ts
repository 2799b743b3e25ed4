import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** What outlives a request: a field, or a part of one process, that keeps something by a key. */
const KEEPS =
  /#\w+(: [^=\n]+)? = new (Map|Set|WeakMap|OrgMap)\b|= new (WeakMap|OrgMap|OrgShare|Circuits|BrainBreaker|SpeechBreakers|AddressLimit)\b/;
const PARTS = ["shared", "gateway", "control-api", "media"];
const NOT_PRODUCTION = /(\.test|\.contract)\.ts$|shared\/manual-clock\.ts$/;

const page = readFileSync(join(ROOT, "docs/isolation.md"), "utf8");
const named = new Set([...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => path));
const sources = PARTS.flatMap((part) => globSync(`${part}/**/*.ts`, { cwd: ROOT })).filter(
  (path) => !path.includes("node_modules") && !NOT_PRODUCTION.test(path),
);

test("docs/isolation.md says of everything that is kept in a process by what it is counted", () => {
  const keeping = sources.filter((path) => KEEPS.test(readFileSync(join(ROOT, path), "utf8")));
  expect(keeping.length).toBeGreaterThan(20);
  // What creates one of these belongs to it, and is in no table of its own.
  const parts = new Set(["gateway/build-gateway.ts"]);
  expect(keeping.filter((path) => !named.has(path) && !parts.has(path))).toEqual([]);
});

test("docs/isolation.md names files that exist", () => {
  expect([...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("no dispatcher of customers' addresses is shared by organizations", () => {
  const direct = sources.filter((path) =>
    readFileSync(join(ROOT, path), "utf8").includes("createGuardedDispatcher("),
  );
  expect(direct.sort()).toEqual(["shared/net/guarded-dispatcher.ts", "shared/net/guarded-dispatchers.ts"]);
});

test("nothing looks names of customers up with getaddrinfo", () => {
  const looking = sources.filter((path) => {
    const imports =
      readFileSync(join(ROOT, path), "utf8").match(/import [^;]* from "node:dns(\/promises)?"/g) ?? [];
    return imports.some((line) => /\blookup\b/.test(line));
  });
  expect(looking).toEqual([]);
});
