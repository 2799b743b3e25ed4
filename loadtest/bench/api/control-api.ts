import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Child, startChild } from "../../stack/child.ts";
import type { Stack } from "../../stack/stack.ts";

const run = promisify(execFile);
const demoSchema = z.object({ apiKey: z.string(), agentId: z.string() });

/** The bench's own control API, seeded with the demo workspace. */
export interface BenchApi {
  readonly child: Child;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
  /** Absent with the embedded database. */
  readonly databaseUrl: string | undefined;
  close(): Promise<void>;
}

/**
 * Starts a control API on the stack's Redis. Its database is a new one on the Postgres of
 * PARLEY_TEST_POSTGRES_URL, dropped at the end; otherwise the embedded one, which runs inside the measured
 * process. Without a `cpu`, it may run on any.
 */
export async function startApi(
  stack: Stack,
  cpu: number | undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchApi> {
  const database = await createDatabase();
  const child = await startProcess(stack, cpu, { databaseUrl: database?.url, env });
  const demo = demoSchema.parse(JSON.parse(await readFile(join(dataDirOf(stack), "demo.json"), "utf8")));
  const close = async (): Promise<void> => {
    await child.stop();
    await database?.drop();
  };
  return { child, baseUrl: child.ready[0] ?? "", ...demo, databaseUrl: database?.url, close };
}

/** Starts one more control API on the database, the bus and the secrets of one that runs. Needs Postgres. */
export function startAnotherApi(
  stack: Stack,
  cpu: number | undefined,
  { databaseUrl, env = {} }: { databaseUrl: string; env?: Readonly<Record<string, string>> },
): Promise<Child> {
  return startProcess(stack, cpu, { databaseUrl, env });
}

function dataDirOf({ dataDir }: Stack): string {
  return join(dataDir, "control-api");
}

function startProcess(
  stack: Stack,
  cpu: number | undefined,
  { databaseUrl, env }: { databaseUrl: string | undefined; env: Readonly<Record<string, string>> },
): Promise<Child> {
  return startChild({
    command: [process.execPath, "control-api/main.ts"],
    env: {
      CONTROL_API_PORT: "0",
      APP_FRAMES_PORT: "0",
      DATA_DIR: dataDirOf(stack),
      REDIS_URL: stack.redisUrl,
      DEMO: "true",
      TRUST_PROXY: "127.0.0.1/32",
      DEMO_BRAIN_URL: "http://127.0.0.1:9/",
      LOG_FORMAT: "json",
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...env,
    },
    cpu,
    ready: /"baseUrl":"([^"]+)".*control API ready/,
  });
}

async function createDatabase(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const server = process.env.PARLEY_TEST_POSTGRES_URL;
  if (!server) return undefined;
  const name = `parley_bench_${process.pid}`;
  await run("createdb", ["--maintenance-db", server, name]);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    await run("dropdb", ["--force", "--maintenance-db", server, name]);
  };
  return { url: url.href, drop };
}
