import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@parley/control-api/database/open.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { readEventFile } from "@parley/gateway/events/event-file.ts";
import { nodeFolder } from "@parley/gateway/recovery/node-folder.ts";
import { callEventSchema } from "@parley/shared/contracts/call-events.ts";
import { TestBrain } from "../../../testkit/brain.ts";
import { DurableRedis } from "../../../testkit/durable-redis.ts";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { type LaunchOptions, ServerProcess } from "../../../testkit/server-process.ts";
import { DrillCall } from "./drill-call.ts";

export interface GatewayProcess {
  readonly server: ServerProcess;
  readonly nodeId: string;
  readonly publicUrl: string;
}

/** Parley as in production: processes of their own, a Redis that keeps what it has, a Postgres. */
export class Installation {
  readonly redis: DurableRedis;
  readonly database: Database;
  readonly dataDir: string;
  readonly #brain: TestBrain;
  readonly #env: Record<string, string>;
  readonly #dropDatabase: () => Promise<void>;
  readonly #servers: ServerProcess[] = [];
  #organization: TestOrganization | undefined;
  #apiUrl = "";

  private constructor(parts: {
    redis: DurableRedis;
    database: Database;
    dataDir: string;
    brain: TestBrain;
    env: Record<string, string>;
    dropDatabase: () => Promise<void>;
  }) {
    this.redis = parts.redis;
    this.database = parts.database;
    this.dataDir = parts.dataDir;
    this.#brain = parts.brain;
    this.#env = parts.env;
    this.#dropDatabase = parts.dropDatabase;
  }

  /**
   * A Redis, a database and a brain that answers everything with a short sentence; no process yet. The
   * database is made on the tests' Postgres, unless a drill has one of its own.
   */
  static async start(options: { databaseUrl?: string } = {}): Promise<Installation> {
    const redis = await DurableRedis.start();
    const { url, drop } =
      options.databaseUrl === undefined
        ? await createTestDatabase()
        : { url: options.databaseUrl, drop: () => Promise.resolve() };
    const dataDir = await mkdtemp(join(tmpdir(), "parley-drill-"));
    const env = {
      DATA_DIR: dataDir,
      FRONT_END: "false",
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      CONTROL_API_PORT: "0",
      APP_FRAMES_PORT: "0",
      GATEWAY_PORT: "0",
      ALLOW_PRIVATE_TARGETS: "127.0.0.0/8,::1/128",
    };
    const brain = await TestBrain.saying("I hear you.");
    const database = await openDatabase({ databaseUrl: url });
    return new Installation({ redis, database, dataDir, brain, env, dropDatabase: drop });
  }

  /** Starts a control API, which is the event projector too. */
  async startControlApi(env: Record<string, string> = {}): Promise<ServerProcess> {
    const { server, ready } = await ServerProcess.start("control-api/main.ts", {
      env: { ...this.#env, ...env },
      readyLine: "control API ready",
    });
    this.#servers.push(server);
    this.#apiUrl = String(ready.baseUrl);
    this.#organization ??= await createOrganization(this.database, {
      brain: { url: this.#brain.url },
      // A fault lasts longer than a silence the agent would ask about.
      silence: { promptAfterMs: 0, hangupAfterMs: 0 },
      waiting: { afterMs: 0 },
    });
    return server;
  }

  async startGateway(
    env: Record<string, string> = {},
    limits: Pick<LaunchOptions, "maxFileKib" | "maxOpenFiles"> = {},
  ): Promise<GatewayProcess> {
    const { server, ready } = await ServerProcess.start("gateway/main.ts", {
      ...limits,
      env: { ...this.#env, ...env },
      readyLine: "gateway ready",
    });
    this.#servers.push(server);
    return { server, nodeId: String(ready.nodeId), publicUrl: String(ready.publicUrl) };
  }

  /** A request to the REST API with a developer's key. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return fetch(new URL(path, this.#apiUrl), {
      method,
      headers: { "x-api-key": this.#org.keys.developer, ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Of the control API that was started last. */
  get apiUrl(): string {
    return this.#apiUrl;
  }

  get agentId(): string {
    return this.#org.agentId;
  }

  get orgId(): string {
    return this.#org.orgId;
  }

  async createSession(): Promise<{ sessionId: string; websocketUrl: string }> {
    const response = await this.request("POST", "/api/sessions/init-web-call", { agentId: this.agentId });
    if (!response.ok) throw new Error(`no session: ${await response.text()}`);
    const { data } = (await response.json()) as { data: { sessionId: string; websocketUrl: string } };
    return data;
  }

  /** Creates a session and connects its caller. */
  async call(): Promise<DrillCall> {
    return DrillCall.start(await this.createSession());
  }

  calls(count: number): Promise<DrillCall[]> {
    return Promise.all(Array.from({ length: count }, () => this.call()));
  }

  /** What the event projector has written down of a call, in the order it happened. */
  async recorded(sessionId: string) {
    const rows = await this.database.db
      .selectFrom("call_events")
      .select("body")
      .where("session_id", "=", sessionId)
      .orderBy("seq")
      .execute();
    return rows.map(({ body }) => callEventSchema.parse(body));
  }

  /** What the REST API tells of a call. */
  async callRecord(sessionId: string): Promise<unknown> {
    return (await this.request("GET", `/api/v1/calls/${sessionId}`)).json();
  }

  /** How many of these calls have no end yet. */
  async openCalls(calls: readonly DrillCall[]): Promise<number> {
    const sessionIds = calls.map(({ sessionId }) => sessionId);
    const open = await this.database.db
      .selectFrom("calls")
      .select("id")
      .where("session_id", "in", sessionIds)
      .where("ended_at", "is", null)
      .execute();
    return open.length;
  }

  /** The events that a gateway has on disk. */
  keptEvents(nodeId: string): Promise<string[]> {
    return readEventFile(nodeFolder(this.dataDir, nodeId).eventsPath);
  }

  /** The address of a call's stream socket, with a ticket. */
  async streamUrl(sessionId: string): Promise<string> {
    const response = await this.request("POST", `/api/sessions/${sessionId}/stream`);
    if (!response.ok) throw new Error(`no stream: ${await response.text()}`);
    return ((await response.json()) as { data: { streamUrl: string } }).data.streamUrl;
  }

  get #org(): TestOrganization {
    if (!this.#organization) throw new Error("start a control API first");
    return this.#organization;
  }

  async remove(): Promise<void> {
    for (const server of this.#servers) await server.kill();
    this.#brain.close();
    await this.database.close();
    await this.#dropDatabase();
    await this.redis.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
