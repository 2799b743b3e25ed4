import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { needs, testPostgresUrl, testRedisUrl } from "../../testkit/needs.ts";
import { environmentOf, interpolate, ourServices, ROOT, readCompose, type Service } from "./compose-file.ts";
import { freshEnv } from "./env-file.ts";

const run = promisify(execFile);
const READY_WITHIN_MS = 90_000;
/** A logical database of its own, so that no other test's recorder takes these events. */
const REDIS_DATABASE = 11;

/**
 * No engine runs in CI, but what an engine would run does: each command of docker-compose.yml with its own
 * environment, health check included. Only the addresses of the stores and the ports are this machine's.
 */
describe.runIf(needs("redis") && needs("postgres"))("what docker-compose.yml starts", () => {
  test("every process becomes healthy, reports its metrics and ends cleanly when told to", async () => {
    const { env } = await freshEnv();
    const local = await localStores();
    const processes = await Promise.all(
      ourServices(readCompose()).map(([name, service]) =>
        start(name, service, { ...environmentOf(service, env), ...local }),
      ),
    );
    for (const { name, healthy } of processes) expect(await healthy(), `${name} becomes healthy`).toBe(true);
    for (const { port } of processes) {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect(await metrics.text()).toContain("parley_bus_ready 1");
    }
    for (const { name, child } of processes) {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      expect(child.exitCode, `${name} ends with 0`).toBe(0);
    }
  });
});

interface Started {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Runs the service's own health check until it passes, the process ends or the time is over. */
  healthy(): Promise<boolean>;
}

async function start(name: string, service: Service, env: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const portName = "GATEWAY_PORT" in env ? "GATEWAY_PORT" : "CONTROL_API_PORT";
  const [, ...args] = service.command!;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env, [portName]: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const [, program, ...check] = service.healthcheck!.test.map((part) =>
    interpolate(part, {}).replace(env[portName]!, String(port)),
  );
  const healthy = async () => {
    const until = performance.now() + READY_WITHIN_MS;
    while (performance.now() < until && child.exitCode === null) {
      const passed = await run(program!, check).then(
        () => true,
        () => false,
      );
      if (passed) return true;
      await delay(100);
    }
    return false;
  };
  return { name, port, child, healthy };
}

/** A database, a folder and a part of Redis that nobody else uses, gone after the test. */
async function localStores(): Promise<Record<string, string>> {
  const database = `parley_compose_${process.pid}`;
  await query(`drop database if exists ${database} with (force)`);
  await query(`create database ${database}`);
  onTestFinished(() => query(`drop database if exists ${database} with (force)`));
  const folder = await mkdtemp(join(tmpdir(), "parley-compose-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [databaseUrl, redisUrl] = [new URL(testPostgresUrl()), new URL(testRedisUrl())];
  databaseUrl.pathname = `/${database}`;
  redisUrl.pathname = `/${REDIS_DATABASE}`;
  return { DATABASE_URL: databaseUrl.href, REDIS_URL: redisUrl.href, DATA_DIR: folder, HOST: "127.0.0.1" };
}

async function query(sql: string): Promise<void> {
  const client = new pg.Client(testPostgresUrl());
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
