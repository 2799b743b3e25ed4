import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { CALL_EVENTS_STREAM, type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { z } from "zod";
import { type Child, startChild } from "../../stack/child.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type BenchApi, startAnotherApi, startApi } from "../api/control-api.ts";
import { makeMessages } from "../recorder/messages.ts";

const ROWS_A_STATEMENT = 1_000;
const seenSchema = z.object({ seen: z.number(), tookMs: z.number(), p50Ms: z.number(), p99Ms: z.number() });
const hookSchema = z.object({ id: z.string() });
const sessionSchema = z.object({ data: z.object({ sessionId: z.string() }) });

export type Seen = z.infer<typeof seenSchema>;

const API_ENV = { ALLOW_PRIVATE_TARGETS: "127.0.0.0/8" };

/** The payload of the bench's deliveries. */
export const BODY = JSON.stringify({
  event: "call.dtmf",
  orgId: newId("org"),
  occurredAt: new Date().toISOString(),
  sessionId: newId("ses"),
  agentId: newId("agt"),
  identifier: "customer-7",
  digit: "5",
});

export interface WorldOptions {
  readonly cpu: number;
  readonly othersCpu: number;
  /** Further environment of the control API: a profiler's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A control API and Postgres alone on a CPU, and a receiver for its webhooks. */
export class World {
  readonly receiverUrl: string;
  readonly databaseUrl: string;
  readonly #api: BenchApi;
  readonly #stack: Stack;
  readonly #database: Database;
  readonly #orgId: string;
  readonly #stop: () => Promise<void>;
  readonly #receiver: Child;
  #seq = 0;

  private constructor(parts: {
    receiver: Child;
    databaseUrl: string;
    api: BenchApi;
    stack: Stack;
    database: Database;
    orgId: string;
    stop: () => Promise<void>;
  }) {
    this.#receiver = parts.receiver;
    this.receiverUrl = parts.receiver.ready[0] ?? "";
    this.databaseUrl = parts.databaseUrl;
    this.#api = parts.api;
    this.#stack = parts.stack;
    this.#database = parts.database;
    this.#orgId = parts.orgId;
    this.#stop = parts.stop;
  }

  static async start({ cpu, othersCpu, env = {} }: WorldOptions): Promise<World> {
    const stack = await startStack({ othersCpu, gatewayCpu: othersCpu });
    const receiver = await startChild({
      command: [process.execPath, "loadtest/bench/webhooks/receiver-process.ts"],
      cpu: othersCpu,
      ready: /ready at (http:\S+)/,
    });
    const api = await startApi(stack, cpu, { ...API_ENV, ...env });
    if (api.databaseUrl === undefined) throw new Error("this bench needs PARLEY_TEST_POSTGRES_URL");
    const database = await openDatabase({ databaseUrl: api.databaseUrl });
    const { orgId } = await database.db
      .selectFrom("agents")
      .select("org_id as orgId")
      .executeTakeFirstOrThrow();
    const stop = async (): Promise<void> => {
      await database.close();
      await api.close();
      await receiver.stop();
      await stack.close();
    };
    const { databaseUrl } = api;
    return new World({ receiver, databaseUrl, api, stack, database, orgId, stop });
  }

  /** Its processes, with those of `senders` in place of its control API where they are given. */
  async pids(senders: readonly number[] = [this.#api.child.pid]): Promise<Record<string, number[]>> {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(this.#database.db);
    return {
      process: [...senders],
      Postgres: rows.map(({ pid }) => pid),
      receiver: [this.#receiver.pid],
      Redis: [this.#stack.redisPid],
    };
  }

  get apiPid(): number {
    return this.#api.child.pid;
  }

  /** Registers endpoints at these receiver paths; returns their ids. */
  async register(paths: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const path of paths) {
      const body = { target_url: this.receiverUrl + path };
      ids.push(hookSchema.parse(await this.#ask("POST", "/api/v1/hooks", body)).id);
    }
    return ids;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#ask("DELETE", `/api/v1/hooks/${id}`);
  }

  /** Inserts deliveries for the endpoints in turn, in bulk, and notifies the deliverer. */
  async fill(endpointIds: readonly string[], deliveries: number): Promise<void> {
    const at = new Date();
    const rows = Array.from({ length: deliveries }, (_, i) => ({
      id: newId("dlv"),
      endpoint_id: endpointIds[i % endpointIds.length] ?? "",
      org_id: this.#orgId,
      event: "call.dtmf",
      body: BODY,
      status: "pending" as const,
      created_at: at,
      next_attempt_at: at,
    }));
    await this.#database.db.transaction().execute(async (trx) => {
      for (let i = 0; i < rows.length; i += ROWS_A_STATEMENT)
        await trx
          .insertInto("webhook_deliveries")
          .values(rows.slice(i, i + ROWS_A_STATEMENT))
          .execute();
    });
    await this.#stack.bus.channels.publish("webhooks-due", "");
  }

  /** Starts a web call; returns a function that presses a key in it: one event per endpoint. */
  async call(): Promise<() => Promise<void>> {
    const answer = await this.#ask("POST", "/api/sessions/init-web-call", { agentId: this.#api.agentId });
    const { sessionId } = sessionSchema.parse(answer).data;
    return async () => {
      const at = new Date().toISOString();
      const about = { id: newId("evt"), sessionId, orgId: this.#orgId, seq: this.#seq++, at };
      const event = { ...about, type: "call.dtmf", digit: "5" };
      await this.#stack.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
    };
  }

  /** Messages of new calls, to be told with `tell`. */
  async messages(calls: number, each: number): Promise<readonly CallEvent[]> {
    return (await makeMessages(this.#api, { orgId: this.#orgId, calls, each })).events;
  }

  /** Appends events to the durable stream, as gateways do. */
  async tell(events: readonly CallEvent[], stream = CALL_EVENTS_STREAM): Promise<void> {
    const { streams } = this.#stack.bus;
    await Promise.all(events.map((event) => streams.append(stream, encodeCallEvent(event))));
  }

  /** Runs one statement on the control API's database. */
  async query(statement: string): Promise<void> {
    await sql.raw(statement).execute(this.#database.db);
  }

  /** Starts a second control API beside the first. */
  startAnother(cpu: number): Promise<Child> {
    return startAnotherApi(this.#stack, cpu, { databaseUrl: this.databaseUrl, env: API_ENV });
  }

  get redisUrl(): string {
    return this.#stack.redisUrl;
  }

  /** Resets the receiver's counts. */
  async reset(): Promise<void> {
    await (await fetch(`${this.receiverUrl}/reset`)).arrayBuffer();
  }

  /** What the receiver has seen, once `count` have arrived. */
  async seen(count: number): Promise<Seen> {
    return seenSchema.parse(await (await fetch(`${this.receiverUrl}/seen?count=${count}`)).json());
  }

  close(): Promise<void> {
    return this.#stop();
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#api.baseUrl + path, {
      method,
      headers: {
        "x-api-key": this.#api.apiKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}
