import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type ControlApi, startControlApi } from "@parley/control-api/start-control-api.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { type GatewayNode, nodeKey } from "@parley/shared/contracts/gateway-nodes.ts";
import { type Database, openDatabase } from "@parley/shared/database/open.ts";
import type { Role } from "@parley/shared/database/tables.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics, type Metrics } from "@parley/shared/metrics.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import { generateTicketKeys } from "@parley/shared/security/tickets.ts";

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** An organization with a key of each role and an agent. */
export interface TestOrganization {
  readonly orgId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly keys: Readonly<Record<Role, string>>;
  readonly revokedKey: string;
}

/** A real control API on a free port, over an embedded database and the in-process bus. */
export class TestControlApi {
  readonly api: ControlApi;
  readonly database: Database;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly dataDir: string;
  /** Every log line. */
  readonly logged: string[];
  readonly keys: ReturnType<typeof generateTicketKeys>;

  private constructor(parts: Omit<TestControlApi, "call" | "createOrganization" | "registerNode" | "close">) {
    this.api = parts.api;
    this.database = parts.database;
    this.bus = parts.bus;
    this.metrics = parts.metrics;
    this.dataDir = parts.dataDir;
    this.logged = parts.logged;
    this.keys = parts.keys;
  }

  static async start(
    options: { demo?: Parameters<typeof startControlApi>[0]["demo"]; databaseUrl?: string } = {},
  ): Promise<TestControlApi> {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-api-"));
    const config = loadConfig({ CONTROL_API_PORT: "0", DATA_DIR: dataDir });
    const logged: string[] = [];
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        logged.push(String(chunk));
        done();
      },
    });
    const bus = createMemoryBus({ clock: systemClock });
    const database = await openDatabase({ databaseUrl: options.databaseUrl });
    const metrics = createMetrics();
    const keys = generateTicketKeys();
    const api = await startControlApi({
      config,
      bus,
      database,
      clock: systemClock,
      log: createLogger({ level: "debug", format: "json", name: "test", destination }),
      metrics,
      ticketPrivateKeyPem: keys.privateKeyPem,
      pagesDir: dataDir,
      demo: options.demo,
    });
    return new TestControlApi({ api, database, bus, metrics, dataDir, logged, keys });
  }

  /** One request; the body is sent as JSON unless it is text. */
  async call(
    method: string,
    path: string,
    options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<TestAnswer> {
    const { key, body, headers } = options;
    const response = await fetch(this.api.baseUrl + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "x-api-key": key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  }

  async createOrganization(settings: Record<string, unknown> = {}): Promise<TestOrganization> {
    const { db } = this.database;
    const [orgId, userId, agentId] = [newId("org"), newId("usr"), newId("agt")];
    const at = new Date();
    await db.insertInto("organizations").values({ id: orgId, name: "Acme", created_at: at }).execute();
    await db
      .insertInto("users")
      .values({
        id: userId,
        email: `${userId}@acme.example`,
        password_hash: "x",
        status: "active",
        created_at: at,
      })
      .execute();
    const agent = {
      brain: { url: "https://brain.example/" },
      firstResponse: "Hello {name}, how can I help?",
      ...settings,
    };
    await db
      .insertInto("agents")
      .values({
        id: agentId,
        org_id: orgId,
        name: "Anna",
        settings: JSON.stringify(agent),
        created_at: at,
        updated_at: at,
      })
      .execute();
    const roles = ["owner", "admin", "developer", "member", "viewer"] as const;
    const addKey = async (role: Role, revokedAt: Date | null): Promise<string> => {
      const secret = `parley_live_${newId("key")}`;
      await db
        .insertInto("api_keys")
        .values({
          id: newId("key"),
          org_id: orgId,
          name: role,
          role,
          secret_hash: sha256Hex(secret),
          last_four: secret.slice(-4),
          created_by: userId,
          revoked_at: revokedAt,
          created_at: at,
        })
        .execute();
      return secret;
    };
    const keys = Object.fromEntries(
      await Promise.all(roles.map(async (role) => [role, await addKey(role, null)])),
    );
    return {
      orgId,
      userId,
      agentId,
      keys: keys as Record<Role, string>,
      revokedKey: await addKey("owner", at),
    };
  }

  /** Puts a gateway on the bus's list, as one would itself. */
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
    await this.bus.keys.set(nodeKey(full.nodeId), JSON.stringify(full), 60_000);
    return full;
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.database.close();
    await this.bus.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
