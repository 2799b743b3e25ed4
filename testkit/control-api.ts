import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import type { PasswordCost } from "@parley/control-api/identity/accounts/passwords.ts";
import { type ControlApi, startControlApi } from "@parley/control-api/start-control-api.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { type CallPlan, callPlanKey, callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { type GatewayNode, nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics, type Metrics } from "@parley/shared/metrics.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { generateTicketKeys } from "@parley/shared/security/tickets.ts";
import { lentDatabase, lentEmbedded } from "./lent-database.ts";
import { createOrganization, type TestOrganization } from "./organization.ts";
import { TEST_PLAN_KEY } from "./plan-key.ts";

type Resolve = NonNullable<Parameters<typeof startControlApi>[0]["resolve"]>;
/** No one steals these hashes. A production hash costs fifteen milliseconds of CPU per sign-in. */
const CHEAP: PasswordCost = { memoryCost: 64, timeCost: 1 };
/** Longer than any test file runs, also on a machine with other work. */
const NODE_TTL_MS = 3_600_000;

export interface CallOptions {
  readonly key?: string;
  /** An access or client token. */
  readonly token?: string;
  readonly orgId?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** A real control API on a free port, over a database of its own and the in-process bus. */
export class TestControlApi {
  readonly api: ControlApi;
  readonly database: Databases;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly dataDir: string;
  /** Every log line. */
  readonly logged: string[];
  readonly keys: ReturnType<typeof generateTicketKeys>;

  private constructor(
    parts: Omit<
      TestControlApi,
      "call" | "planOf" | "messagesTo" | "createOrganization" | "registerNode" | "close"
    >,
  ) {
    this.api = parts.api;
    this.database = parts.database;
    this.bus = parts.bus;
    this.metrics = parts.metrics;
    this.dataDir = parts.dataDir;
    this.logged = parts.logged;
    this.keys = parts.keys;
  }

  static async start(
    options: {
      demo?: Parameters<typeof startControlApi>[0]["demo"];
      databaseUrl?: string;
      /** Asks for the embedded database also where the tests have a Postgres. */
      isEmbedded?: boolean;
      clock?: Clock;
      bus?: Bus;
      /** More environment variables. */
      env?: Record<string, string>;
      secretsKey?: string;
      allowPrivateTargets?: readonly string[];
      phones?: Parameters<typeof startControlApi>[0]["phones"];
      /** Replaces the system's resolver. */
      resolve?: Resolve;
      receiverTimeMs?: number;
      brainTestLimitMs?: number;
      memberRingsMs?: number;
      ringTimeoutSecs?: number;
      /** Ticket keys, where several APIs sign for one gateway. */
      keys?: ReturnType<typeof generateTicketKeys>;
      /** Folder of the built pages. */
      pagesDir?: string;
      credentialCacheMs?: number;
      /** `PASSWORD_COST` for tests that look at hashes or their timing. */
      passwordCost?: PasswordCost;
      /** Replaces connectors. */
      toolExecutors?: Parameters<typeof startControlApi>[0]["toolExecutors"];
    } = {},
  ): Promise<TestControlApi> {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-api-"));
    const config = loadConfig({
      CONTROL_API_PORT: "0",
      APP_FRAMES_PORT: "0",
      DATA_DIR: dataDir,
      ...options.env,
    });
    const logged: string[] = [];
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        logged.push(String(chunk));
        done();
      },
    });
    const bus = options.bus ?? createMemoryBus({ clock: systemClock });
    const { databaseUrl } = options;
    const { directUrl, replicaUrl, budgets } = config.storage;
    const lend = options.isEmbedded ? lentEmbedded : lentDatabase;
    const database = await (databaseUrl === undefined
      ? lend()
      : openDatabase({ databaseUrl, directUrl, replicaUrl, budgets }));
    const metrics = createMetrics();
    const keys = options.keys ?? generateTicketKeys();
    const api = await startControlApi({
      config,
      bus,
      database,
      clock: options.clock ?? systemClock,
      log: createLogger({ level: "debug", format: "json", name: "test", destination }),
      metrics,
      ticketPrivateKeyPem: keys.privateKeyPem,
      planKey: TEST_PLAN_KEY,
      secretsKey: options.secretsKey ?? `test:${randomBytes(32).toString("base64")}`,
      ...(options.credentialCacheMs === undefined ? {} : { credentialCacheMs: options.credentialCacheMs }),
      passwordCost: options.passwordCost ?? CHEAP,
      ...(options.toolExecutors ? { toolExecutors: options.toolExecutors } : {}),
      pagesDir: options.pagesDir ?? dataDir,
      ...(options.receiverTimeMs === undefined ? {} : { receiverTimeMs: options.receiverTimeMs }),
      ...(options.brainTestLimitMs === undefined ? {} : { brainTestLimitMs: options.brainTestLimitMs }),
      ...(options.memberRingsMs === undefined ? {} : { memberRingsMs: options.memberRingsMs }),
      ...(options.ringTimeoutSecs === undefined ? {} : { ringTimeoutSecs: options.ringTimeoutSecs }),
      ...(options.resolve ? { resolve: options.resolve } : {}),
      ...(options.allowPrivateTargets ? { allowPrivateTargets: options.allowPrivateTargets } : {}),
      demo: options.demo,
      phones: options.phones,
    });
    return new TestControlApi({ api, database, bus, metrics, dataDir, logged, keys });
  }

  /** Sends one request; a body that is not text becomes JSON. Does not wait for events: they may never end. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<TestAnswer> {
    const { key, token, orgId, body, headers } = options;
    const response = await fetch(`http://127.0.0.1:${this.api.port}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "x-api-key": key }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(orgId === undefined ? {} : { "x-org-id": orgId }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get("content-type") ?? "";
    const isEvents = type.startsWith("text/event-stream");
    if (isEvents) await response.body?.cancel();
    const text = isEvents ? "" : await response.text();
    const isJson = type.startsWith("application/json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  }

  /** The plan a gateway would get for an agent's call that waits for its caller. */
  async planOf(sessionId: string): Promise<CallPlan> {
    const sealed = (await this.bus.keys.get(callPlanKey(sessionId))) ?? "";
    return callPlanSchema.parse(new PlanBox(TEST_PLAN_KEY).open(sealed, sessionId));
  }

  createOrganization(settings: Record<string, unknown> = {}): Promise<TestOrganization> {
    return createOrganization(this.database, settings);
  }

  /** Messages that would have been sent to an address, newest first. */
  async messagesTo(to: string): Promise<{ subject?: string; text: string }[]> {
    const { body } = await this.call("GET", "/dev/outbox.json");
    const messages = body.messages as { to: string; subject?: string; text: string }[];
    return messages.filter((message) => message.to === to);
  }

  /** Registers a gateway on the bus, as a gateway does. */
  async registerNode(node: Partial<GatewayNode> = {}): Promise<GatewayNode> {
    const full: GatewayNode = {
      nodeId: newId("nod"),
      publicUrl: "ws://gateway.example",
      calls: 0,
      maxCalls: 10,
      draining: false,
      sttVendors: ["client"],
      ...node,
    };
    await this.bus.keys.set(nodeKey(full.nodeId), JSON.stringify(full), NODE_TTL_MS);
    return full;
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.database.close();
    await this.bus.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
