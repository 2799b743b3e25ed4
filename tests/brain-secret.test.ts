import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { createLogger } from "@parley/shared/log.ts";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../testkit/brain.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { needs, testRedisUrl } from "../testkit/needs.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { createEmptyDatabase } from "../testkit/postgres.ts";

const SECRET = "hunter2-brain-secret-5e1f";
/** A turn that the gateway complains of. */
const FAILS = "Fail, please.";
const CALLER = "customer-named-4711";

describe.runIf(needs("redis") && needs("postgres"))("The secret of an agent's brain", () => {
  const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const write = process.stdout.write;
  const written: string[] = [];
  const commands: string[] = [];
  let redis: Redis;
  let monitor: Redis;
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let api: TestControlApi;
  let gateway: TestGateway;
  let brain: TestBrain;
  let acme: TestOrganization;

  beforeAll(async () => {
    process.stdout.write = ((chunk: string | Uint8Array) => written.push(String(chunk)) > 0) as typeof write;
    redis = new Redis(testRedisUrl());
    monitor = await redis.monitor();
    monitor.on("monitor", (_at: string, args: string[]) => {
      if (args.some((arg) => arg.includes(keyPrefix))) commands.push(args.join(" "));
    });
    // The API logs that it makes the tables: there is something to look through.
    database = await createEmptyDatabase();
    const bus = () => connectRedisBus({ url: testRedisUrl(), log, keyPrefix });
    const allowPrivateTargets = ["127.0.0.0/8"];
    api = await TestControlApi.start({ databaseUrl: database.url, bus: await bus(), allowPrivateTargets });
    gateway = await TestGateway.start({ bus: await bus(), keys: api.keys, env: { LOG_LEVEL: "debug" } });
    brain = await TestBrain.start((turn) => {
      if (turn.request.query === FAILS) return void turn.res.writeHead(500).end();
      turn.token("I hear you.");
      turn.done();
    });
    acme = await api.createOrganization();
  });
  afterAll(async () => {
    process.stdout.write = write;
    monitor.disconnect();
    redis.disconnect();
    await api.close();
    await gateway.close();
    await database.drop();
    brain.close();
  });

  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { key: acme.keys.developer, ...(body ? { body } : {}) });

  /** Every row of every table. */
  async function everyRow(): Promise<string> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const tables = await client.query<{ name: string }>(
        "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
      );
      const dumps: unknown[] = [];
      for (const { name } of tables.rows) {
        const { rows } = await client.query(`select to_jsonb(t) as row from ${name} t`);
        dumps.push({ name, rows });
      }
      return JSON.stringify(dumps);
    } finally {
      await client.end();
    }
  }

  it("is in no command to Redis, no row and no log line, from the agent's making to its call's end", async () => {
    const agent = { name: "Anna", brain: { url: brain.url, secret: SECRET }, recording: false };
    const made = await call("POST", "/api/agents", agent);
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data as { id: string };
    await call("PATCH", `/api/agents/${id}`, { firstResponse: "Hello." });
    const tried = await call("POST", `/api/agents/${id}/test-brain`, { query: "Are you there?" });
    expect(tried.status, tried.text).toBe(200);
    const session = await call("POST", "/api/sessions/init-web-call", { agentId: id, identifier: CALLER });
    const { sessionId, websocketUrl } = session.body.data as { sessionId: string; websocketUrl: string };
    expect((await api.planOf(sessionId)).brain).toMatchObject({ secret: SECRET });

    const caller = await TestCaller.start(websocketUrl);
    caller.send({ type: "text", text: "hello" });
    await expect.poll(() => brain.queries).toContain("hello");
    await caller.said("assistant");
    const duringCall = await everyRow();
    caller.send({ type: "text", text: FAILS });
    await expect.poll(() => written.join("")).toContain("the brain failed");
    caller.send({ type: "hangup" });
    await expect
      .poll(async () => (await call("GET", `/api/v1/calls/${sessionId}`)).body.status)
      .toBe("completed");

    const places = {
      redis: commands.join("\n"),
      "rows during the call": duringCall,
      "rows after it": await everyRow(),
      "the API's log": api.logged.join(""),
      "the gateway's log": written.join(""),
      "the agent as it is read": (await call("GET", `/api/agents/${id}`)).text,
    };
    const base64 = Buffer.from(SECRET).toString("base64").slice(0, -4);
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).toBeGreaterThan(100);
      for (const spelling of [SECRET, base64]) expect(text.includes(spelling), place).toBe(false);
    }
    // What was looked at is where the call was.
    expect(places.redis).toContain(`plan:${sessionId}`);
    expect(places.redis).not.toContain(CALLER);
    expect(places["rows after it"]).toContain(sessionId);
    expect(places["the gateway's log"]).toContain(sessionId);
  });
});
