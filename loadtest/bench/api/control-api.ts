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
 * process.
 */
export async function startApi(
  stack: Stack,
  cpu: number,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchApi> {
  const database = await createDatabase();
  const dataDir = join(stack.dataDir, "control-api");
  const child = await startChild({
    command: [process.execPath, "control-api/main.ts"],
    env: {
      CONTROL_API_PORT: "0",
      APP_FRAMES_PORT: "0",
      DATA_DIR: dataDir,
      REDIS_URL: stack.redisUrl,
      DEMO: "true",
      TRUST_PROXY: "127.0.0.1/32",
      DEMO_BRAIN_URL: "http://127.0.0.1:9/",
      LOG_FORMAT: "json",
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...env,
    },
    cpu,
    ready: /"baseUrl":"([^"]+)".*control API ready/,
  });
  const demo = demoSchema.parse(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")));
  const close = async (): Promise<void> => {
    await child.stop();
    await database?.drop();
  };
  return { child, baseUrl: child.ready[0] ?? "", ...demo, databaseUrl: database?.url, close };
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
