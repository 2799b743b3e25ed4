import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";

/** Programs and services that a bare machine may lack. CI requires all of them. */
const PROBES = {
  sox: () => isOnPath("sox"),
  espeak: () => isOnPath("espeak-ng"),
  pocketsphinx: () => isOnPath("pocketsphinx_continuous"),
  chromium: () => chromiumPath() !== undefined,
  caddy: () => isOnPath("caddy"),
  prometheus: () => isOnPath("prometheus"),
  pgbouncer: () => isOnPath("pgbouncer"),
  promtool: () => isOnPath("promtool"),
  redis: () => process.env.PARLEY_TEST_REDIS_URL !== undefined,
  postgres: () => process.env.PARLEY_TEST_POSTGRES_URL !== undefined,
  postgresServer: () => postgresBin() !== undefined,
} as const;

export type Need = keyof typeof PROBES;

/**
 * Whether `need` is available. With `PARLEY_REQUIRE_ALL=1`, as in CI, a missing one fails the run instead of
 * skipping the tests that need it.
 */
export function needs(need: Need): boolean {
  const found = PROBES[need]();
  if (!found && process.env.PARLEY_REQUIRE_ALL === "1") {
    throw new Error(`${need} is required here (PARLEY_REQUIRE_ALL=1) and was not found; see CONTRIBUTING.md`);
  }
  return found;
}

/** `redis://…` of a server that tests may write to; only after `needs("redis")`. */
export function testRedisUrl(): string {
  return required("PARLEY_TEST_REDIS_URL");
}

/** `postgres://…` of a server on which tests may create databases; only after `needs("postgres")`. */
export function testPostgresUrl(): string {
  return required("PARLEY_TEST_POSTGRES_URL");
}

export function chromiumPath(): string | undefined {
  return ["chromium", "chromium-browser", "google-chrome"].map(pathOf).find((path) => path !== undefined);
}

/** Chromium's engine without its window, for tests of pages: a quarter less work. The whole Chromium where it is missing. */
export function headlessChromiumPath(): string | undefined {
  return pathOf("chromium-headless-shell") ?? chromiumPath();
}

/** Program folder of the newest Postgres that Debian installed; another one may be first on the PATH. */
export function postgresBin(): string | undefined {
  return globSync("/usr/lib/postgresql/*/bin")
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

function isOnPath(program: string): boolean {
  return pathOf(program) !== undefined;
}

function pathOf(program: string): string | undefined {
  try {
    return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
