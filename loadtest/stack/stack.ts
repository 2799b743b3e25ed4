import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { openBus } from "@parley/shared/bus/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { generateTicketKeys } from "@parley/shared/security/tickets.ts";
import { type Child, type ChildOptions, startChild } from "./child.ts";
import { PlanSeeder } from "./plan-seeder.ts";

/** Node flags of a production gateway (docker-compose.yml): fewer full collections, whose pauses are audible. */
export const GATEWAY_NODE_FLAGS = ["--max-semi-space-size=32", "--initial-old-space-size=256"] as const;
const LOOPBACK = "127.0.0.0/8,::1/128";

export interface StackOptions {
  /** The CPU the gateways run on; the rest of the stack runs on `othersCpu`. */
  readonly gatewayCpu?: number;
  readonly othersCpu?: number;
  /** Their number, or the extra environment of each. */
  readonly gateways?: number | readonly Readonly<Record<string, string>>[];
  /** Settings of the brain (`BRAIN_FIRST_TOKEN_MS`, `BRAIN_TOKEN_MS`, `BRAIN_WORDS`). */
  readonly brain?: Readonly<Record<string, string>>;
  /** Further environment of the gateways, and arguments of their Node (a profiler's). */
  readonly gatewayEnv?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

export interface StackGateway extends Child {
  readonly wsUrl: string;
  readonly httpUrl: string;
}

/** A private stack: Redis, gateways, a brain and a voice, each a process on the loopback. */
export interface Stack {
  readonly gateways: readonly StackGateway[];
  /** Starts another one with this extra environment; it ends with the stack. */
  addGateway(own?: Readonly<Record<string, string>>): Promise<StackGateway>;
  readonly brainUrl: string;
  readonly bus: Bus;
  readonly seeder: PlanSeeder;
  readonly redisUrl: string;
  readonly redisPid: number;
  /** What a control API needs so that these gateways take its calls. */
  readonly controlApiEnv: Readonly<Record<string, string>>;
  readonly dataDir: string;
  close(): Promise<void>;
}

/** Starts a stack; `close` ends every process and removes their files. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-load-"));
  const started: Child[] = [];
  const start = async (child: Omit<ChildOptions, "cpu">, cpu = options.othersCpu): Promise<Child> => {
    const running = await startChild({ ...child, cpu });
    started.push(running);
    return running;
  };
  const closeProcesses = async (): Promise<void> => {
    for (const child of started.reverse()) await child.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const parts = await startParts(options, dataDir, start);
    const close = async (): Promise<void> => {
      await parts.bus.close();
      await closeProcesses();
    };
    return { ...parts, dataDir, close };
  } catch (error) {
    await closeProcesses();
    throw error;
  }
}

async function startParts(
  options: StackOptions,
  dataDir: string,
  start: (child: Omit<ChildOptions, "cpu">, cpu?: number) => Promise<Child>,
) {
  const keys = generateTicketKeys();
  const planKey = `load:${randomBytes(32).toString("base64")}`;
  const redisPort = await freePort();
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const redis = await start({
    command: redisCommand(redisPort, dataDir),
    ready: /Ready to accept connections/,
  });
  const brain = await start({
    command: [process.execPath, "loadtest/stack/brain-process.ts"],
    env: options.brain ?? {},
    ready: /brain ready at (\S+)/,
  });
  const voice = await start({
    command: [process.execPath, "loadtest/stack/voice-process.ts"],
    ready: /voice ready at (\S+)/,
  });
  let started = 0;
  const startGateway = async (own: Readonly<Record<string, string>>): Promise<StackGateway> => {
    const nodeArgs = [...GATEWAY_NODE_FLAGS, ...(options.nodeArgs ?? [])];
    const command = [process.execPath, ...nodeArgs, "gateway/main.ts"] as const;
    const env = {
      GATEWAY_PORT: "0",
      // The number of calls it holds is what is measured.
      MAX_CALLS: "5000",
      REDIS_URL: redisUrl,
      DATA_DIR: join(dataDir, `gateway-${started++}`),
      TICKET_PUBLIC_KEY: keys.publicKeyPem,
      PLAN_KEY: planKey,
      ALLOW_PRIVATE_TARGETS: LOOPBACK,
      DEEPGRAM_API_KEY: "load-test-key",
      DEEPGRAM_URL: voice.ready[0] ?? "",
      ...options.gatewayEnv,
      ...own,
    };
    const child = await start({ command, env, ready: /"publicUrl":"(ws:[^"]+)"/ }, options.gatewayCpu);
    const wsUrl = child.ready[0] ?? "";
    return { ...child, wsUrl, httpUrl: wsUrl.replace("ws:", "http:") };
  };
  const { gateways: wanted = 1 } = options;
  const each = typeof wanted === "number" ? Array.from({ length: wanted }, () => ({})) : wanted;
  const gateways = await Promise.all(each.map((own) => startGateway(own)));
  const addGateway = (own: Readonly<Record<string, string>> = {}): Promise<StackGateway> => startGateway(own);
  const log = createLogger({ level: "warn", format: "json", name: "loadtest" });
  const bus = await openBus({ redisUrl, clock: systemClock, log });
  const brainUrl = brain.ready[0] ?? "";
  const seeder = new PlanSeeder({ bus, keys, planKey, brainUrl });
  const controlApiEnv = {
    TICKET_PRIVATE_KEY: keys.privateKeyPem,
    TICKET_PUBLIC_KEY: keys.publicKeyPem,
    PLAN_KEY: planKey,
    ALLOW_PRIVATE_TARGETS: LOOPBACK,
  };
  return { gateways, addGateway, brainUrl, redisUrl, redisPid: redis.pid, controlApiEnv, bus, seeder };
}

export function redisCommand(port: number, dir: string): [string, ...string[]] {
  const keepsNothing = ["--save", "", "--appendonly", "no", "--dir", dir];
  return ["redis-server", "--port", String(port), "--bind", "127.0.0.1", ...keepsNothing];
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
