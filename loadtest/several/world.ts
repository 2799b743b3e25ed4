import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { webCallResponseSchema } from "@parley/shared/contracts/sessions.ts";
import { z } from "zod";
import { type Child, startChild } from "../stack/child.ts";
import { startOwnPostgres } from "../stack/own-postgres.ts";
import { type Stack, type StackGateway, type StackOptions, startStack } from "../stack/stack.ts";
import { openWayIn, type WayIn } from "./way-in.ts";

/** The default of the product, which decides how evenly calls are spread. */
const MAX_CALLS = "450";
const MOST_PROCESSES = 40;

const demoSchema = z.object({ apiKey: z.string(), agentId: z.string() });
const targetsSchema = z.array(
  z.object({ targets: z.array(z.string()), labels: z.object({ job: z.string() }) }),
);

/** A session that a control API made. */
export interface PlacedCall {
  readonly sessionId: string;
  readonly websocketUrl: string;
  /** The `wsUrl` of the gateway that is to hold it. */
  readonly gateway: string;
  readonly atMs: number;
  /** How long it took to be placed, in ms. */
  readonly tookMs: number;
}

/** Several gateways and control APIs on one Redis and one Postgres behind the product's load balancer. */
export interface World {
  readonly gateways: readonly StackGateway[];
  readonly controlApis: readonly Child[];
  readonly database: Databases;
  /** Asks for a session at the load balancer; returns what it said if nobody made one. */
  place(): Promise<PlacedCall | string>;
  /** Starts one more gateway. Nothing else is told of it. */
  addGateway(): Promise<StackGateway>;
  /** How many gateways Prometheus is told to watch, by a control API that is not killed. */
  countListed(): Promise<number>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly gateways: number;
  readonly controlApis: number;
  readonly brain: NonNullable<StackOptions["brain"]>;
}

/** Starts them; `close` ends every process. Needs redis-server, Caddy and a Postgres that Debian installed. */
export async function startWorld({ gateways, controlApis, brain }: WorldOptions): Promise<World> {
  // Each process is told to end with this one.
  process.setMaxListeners(MOST_PROCESSES);
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one();
  };
  try {
    const postgres = await startOwnPostgres();
    if (!postgres) throw new Error("this needs Postgres: apt-get install postgresql");
    closing.push(() => postgres.close());
    const wayIn = await openWayIn(controlApis);
    closing.push(() => wayIn.close());
    const stack = await startStack({
      gateways: Array.from({ length: gateways }, (_, i) => wayIn.gatewayEnv(i + 1)),
      gatewayEnv: { MAX_CALLS },
      brain,
    });
    closing.push(() => stack.close());
    const env = {
      ...stack.controlApiEnv,
      SECRETS_KEY: `load:${randomBytes(32).toString("base64")}`,
      DATABASE_URL: postgres.url,
    };
    const apis: Child[] = [];
    for (let nr = 1; nr <= controlApis; nr++) {
      const api = await startControlApi(stack, { ...env, ...wayIn.controlApiEnv(nr) });
      closing.push(() => api.stop());
      apis.push(api);
    }
    const database = await openDatabase({ databaseUrl: postgres.url });
    closing.push(() => database.close());
    const place = await placing(stack, wayIn);
    let started = gateways;
    const addGateway = (): Promise<StackGateway> => {
      started += 1;
      return stack.addGateway(wayIn.gatewayEnv(started));
    };
    const countListed = () => countGateways(wayIn.controlApiUrl(controlApis));
    return { gateways: stack.gateways, controlApis: apis, database, place, addGateway, countListed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How a client asks for sessions with the demo's agent. */
async function placing(stack: Stack, { url }: WayIn): Promise<World["place"]> {
  const demo = demoSchema.parse(JSON.parse(await readFile(join(dataDirOf(stack), "demo.json"), "utf8")));
  const headers = { "x-api-key": demo.apiKey, "content-type": "application/json" };
  await giveVoice(`${url}/api/agents/${demo.agentId}`, headers);
  const body = JSON.stringify({ agentId: demo.agentId });
  return async () => {
    const beganMs = performance.now();
    const response = await fetch(`${url}/api/sessions/init-web-call`, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) return `${response.status} ${text}`;
    const { sessionId, websocketUrl } = webCallResponseSchema.parse(JSON.parse(text)).data;
    const gateway = websocketUrl.slice(0, websocketUrl.indexOf("/v1/"));
    const atMs = performance.now();
    return { sessionId, websocketUrl, gateway, atMs, tookMs: atMs - beganMs };
  };
}

/** As Prometheus asks for them, which is on the inside: the load balancer hides it. */
async function countGateways(controlApiUrl: string): Promise<number> {
  const response = await fetch(`${controlApiUrl}/metrics/targets`);
  const listed = targetsSchema.parse(await response.json());
  return listed.filter(({ labels }) => labels.job === "gateway").length;
}

/** They share a folder as they would a volume or a bucket, and with it the demo's key. */
function dataDirOf({ dataDir }: Stack): string {
  return join(dataDir, "control-api");
}

function startControlApi(stack: Stack, env: Readonly<Record<string, string>>): Promise<Child> {
  return startChild({
    command: [process.execPath, "control-api/main.ts"],
    env: {
      APP_FRAMES_PORT: "0",
      DATA_DIR: dataDirOf(stack),
      REDIS_URL: stack.redisUrl,
      DEMO: "true",
      DEMO_BRAIN_URL: stack.brainUrl,
      LOG_FORMAT: "json",
      ...env,
    },
    ready: /control API ready/,
  });
}

/** The demo's agent speaks by a voice in the gateway; a load test's comes from a service. */
async function giveVoice(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const body = JSON.stringify({ tts: [{ vendor: "deepgram" }], stt: null });
  const response = await fetch(url, { method: "PATCH", headers, body });
  if (!response.ok) throw new Error(`the agent was not changed: ${response.status} ${await response.text()}`);
}
