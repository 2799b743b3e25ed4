import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SILENT_MS = 5_000;

/** A Redis for one test, which may be killed or become part of a larger setup. */
export interface TestRedis {
  readonly port: number;
  kill(): Promise<void>;
}

/** Starts a `redis-server` without persistence. `settings` are lines of its configuration. */
export function startRedis(port: number, settings: readonly string[] = []): Promise<TestRedis> {
  return start(port, ['save ""', "appendonly no", ...settings], []);
}

/** Starts a sentinel that watches the Redis on `masterPort` under `masterName`. */
export function startSentinel(port: number, masterPort: number, masterName: string): Promise<TestRedis> {
  return start(port, [`sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 1`], ["--sentinel"]);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

async function start(
  port: number,
  settings: readonly string[],
  flags: readonly string[],
): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), "parley-redis-"));
  const path = join(dir, "redis.conf");
  await writeFile(path, [`port ${port}`, "bind 127.0.0.1", `dir ${dir}`, ...settings, ""].join("\n"));
  const child = spawn("redis-server", [path, ...flags], { stdio: "ignore" });
  let isRunning = true;
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      isRunning = false;
      resolve();
    });
  });
  while (!(await answers(port))) {
    if (!isRunning) throw new Error(`redis-server did not start on port ${port}`);
  }
  return {
    port,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Runs a command of words without spaces on the Redis at `port`. Returns the raw answer. */
export async function tellRedis(port: number, command: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.once("connect", () => socket.write(`${command}\r\n`));
      socket.once("data", (bytes) => resolve(bytes.toString()));
      socket.once("error", reject);
    });
  } finally {
    socket.destroy();
  }
}

/** Whether a Redis with its data loaded answers a ping. */
export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("connect", () => socket.write("PING\r\n"));
      socket.once("data", (bytes) => resolve(bytes.toString().startsWith("+PONG")));
      socket.once("error", () => resolve(false));
      // What took the port meanwhile may be no Redis, and say nothing.
      socket.setTimeout(SILENT_MS, () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
