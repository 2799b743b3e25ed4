import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { webCallResponseSchema } from "@parley/shared/contracts/sessions.ts";
import { z } from "zod";
import { type Child, startChild } from "../stack/child.ts";
import { startOwnPostgres } from "../stack/own-postgres.ts";
import { type Stack, type StackOptions, startStack } from "../stack/stack.ts";

/** The default of the product, which decides how evenly calls are spread. */
const MAX_CALLS = "450";
/** How long a control API that did not answer is passed by: `fail_duration` of ops/caddy/Caddyfile. */
const PASSED_BY_MS = 5_000;
const MOST_PROCESSES = 40;

const demoSchema = z.object({ apiKey: z.string(), agentId: z.string() });

/** A session that a control API made. */
export interface PlacedCall {
  readonly sessionId: string;
  readonly websocketUrl: string;
  /** `ws://host:port` of the gateway that is to hold it. */
  readonly gateway: string;
  readonly atMs: number;
}

/** Several gateways and control APIs on one Redis and one Postgres, each a process, as in production. */
export interface World {
  readonly stack: Stack;
  readonly controlApis: readonly Child[];
  readonly database: Databases;
  /** Asks the control APIs in turn, and the next one if one does not answer, as a load balancer does. */
  place(): Promise<PlacedCall>;
  /** Requests that another control API had to answer so far. */
  readonly repeated: () => number;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly gateways: number;
  readonly controlApis: number;
  readonly brain: NonNullable<StackOptions["brain"]>;
}

/** Starts them; `close` ends every process. Needs redis-server and a Postgres that Debian installed. */
export async function startWorld({ gateways, controlApis, brain }: WorldOptions): Promise<World> {
  const postgres = await startOwnPostgres();
  if (!postgres) throw new Error("this needs Postgres: apt-get install postgresql");
  // Each process is told to end with this one.
  process.setMaxListeners(MOST_PROCESSES);
  const gatewayEnv = { MAX_CALLS };
  const stack = await startStack({ gateways, brain, gatewayEnv }).catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  const apis: Child[] = [];
  const database = await openDatabase({ databaseUrl: postgres.url });
  const close = async (): Promise<void> => {
    await database.close();
    for (const api of apis) await api.stop();
    await stack.close();
    await postgres.close();
  };
  try {
    const env = { ...stack.controlApiEnv, SECRETS_KEY: `load:${randomBytes(32).toString("base64")}` };
    for (let i = 0; i < controlApis; i++)
      apis.push(await startControlApi(stack, { ...env, DATABASE_URL: postgres.url }));
    const demo = demoSchema.parse(JSON.parse(await readFile(join(dataDirOf(stack), "demo.json"), "utf8")));
    const urls = apis.map(({ ready }) => ready[0] ?? "");
    const headers = { "x-api-key": demo.apiKey, "content-type": "application/json" };
    await giveVoice(`${urls[0]}/api/agents/${demo.agentId}`, headers);
    const counts = { placed: 0, repeated: 0 };
    const failedAtMs = new Map<string, number>();
    const isPassedBy = (url: string): boolean =>
      performance.now() - (failedAtMs.get(url) ?? Number.NEGATIVE_INFINITY) < PASSED_BY_MS;
    const place = async (): Promise<PlacedCall> => {
      const body = JSON.stringify({ agentId: demo.agentId });
      const first = counts.placed++ % urls.length;
      for (const url of [...urls.slice(first), ...urls.slice(0, first)]) {
        if (isPassedBy(url)) continue;
        const path = `${url}/api/sessions/init-web-call`;
        const response = await fetch(path, { method: "POST", headers, body }).catch(() => undefined);
        if (response) return readPlaced(response);
        failedAtMs.set(url, performance.now());
        counts.repeated += 1;
      }
      throw new Error("no control API answers");
    };
    return { stack, controlApis: apis, database, place, repeated: () => counts.repeated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** They share a folder as they would a volume or a bucket, and with it the demo's key. */
function dataDirOf({ dataDir }: Stack): string {
  return join(dataDir, "control-api");
}

function startControlApi(stack: Stack, env: Readonly<Record<string, string>>): Promise<Child> {
  return startChild({
    command: [process.execPath, "control-api/main.ts"],
    env: {
      CONTROL_API_PORT: "0",
      APP_FRAMES_PORT: "0",
      DATA_DIR: dataDirOf(stack),
      REDIS_URL: stack.redisUrl,
      DEMO: "true",
      DEMO_BRAIN_URL: stack.brainUrl,
      LOG_FORMAT: "json",
      ...env,
    },
    ready: /"baseUrl":"([^"]+)".*control API ready/,
  });
}

/** The demo's agent speaks by a voice in the gateway; a load test's comes from a service. */
async function giveVoice(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const body = JSON.stringify({ tts: [{ vendor: "deepgram" }], stt: null });
  const response = await fetch(url, { method: "PATCH", headers, body });
  if (!response.ok) throw new Error(`the agent was not changed: ${response.status} ${await response.text()}`);
}

async function readPlaced(response: Response): Promise<PlacedCall> {
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`no session was made: ${response.status} ${JSON.stringify(body)}`);
  const { sessionId, websocketUrl } = webCallResponseSchema.parse(body).data;
  const { protocol, host } = new URL(websocketUrl);
  return { sessionId, websocketUrl, gateway: `${protocol}//${host}`, atMs: performance.now() };
}
