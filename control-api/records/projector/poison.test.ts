import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { toTimestamp } from "@parley/shared/clock.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  type CallEventBody,
  decodeCallEvent,
  encodeCallEvent,
  PROJECTOR_GROUP,
} from "@parley/shared/contracts/call-events.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs, testRedisUrl } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { applyEvents } from "./apply-events.ts";
import { listDeadEvents, replayDeadEvent } from "./dead-events.ts";

const SOON = { timeout: 90_000 };
const REFUSED = "what the database refuses";

/** Everything below is held in both shapes of an installation. */
const SHAPES = [
  { name: "one process", isThere: true, isShared: false },
  { name: "Postgres and Redis", isThere: needs("postgres") && needs("redis"), isShared: true },
];

let api: TestControlApi;
let acme: TestOrganization;

function event(sessionId: string, body: CallEventBody, seq = 0): CallEvent {
  const at = toTimestamp(Date.now());
  return { id: newId("evt"), sessionId, orgId: acme.orgId, seq, at, ...body } as CallEvent;
}

const said = (text: string): CallEventBody => ({
  type: "call.message",
  role: "user",
  text,
  turn: 1,
  interrupted: false,
  source: "text",
});
const HUNG_UP: CallEventBody = { type: "call.ended", ...endFor("in-progress", "hangup") };

async function newSession(): Promise<string> {
  const answer = await api.call("POST", "/api/sessions/init-web-call", {
    key: acme.keys.owner,
    body: { agentId: acme.agentId },
  });
  return (answer.body.data as { sessionId: string }).sessionId;
}

const append = (...payloads: string[]) =>
  Promise.all(payloads.map((payload) => api.bus.streams.append(CALL_EVENTS_STREAM, payload)));
const read = async (sessionId: string) =>
  (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;
const textsOf = async (sessionId: string) =>
  ((await read(sessionId)).transcript as { text: string }[]).map(({ text }) => text);
const backlog = () => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP);

describe.each(SHAPES.filter(({ isThere }) => isThere))("with $name", ({ isShared }) => {
  let drop: () => Promise<unknown> = async () => undefined;
  beforeAll(async () => {
    if (isShared) {
      const database = await createTestDatabase();
      drop = database.drop;
      const log = createLogger({ level: "silent", format: "json", name: "test" });
      const keyPrefix = `test-${newId("nod")}:`;
      const bus = await connectRedisBus({ url: testRedisUrl(), log, keyPrefix });
      api = await TestControlApi.start({ databaseUrl: database.url, bus });
    } else api = await TestControlApi.start();
    acme = await api.createOrganization();
    await api.registerNode({ maxCalls: 1_000 });
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin
        if new.text = ${sql.lit(REFUSED)} then raise exception 'refused' using errcode = '22000'; end if;
        return new;
      end $$`.execute(api.database.db);
    await sql`create trigger refuse before insert on call_messages
      for each row execute function refuse()`.execute(api.database.db);
  });
  afterAll(async () => {
    await api.close();
    await drop();
  });

  it("records what comes with an event that can never be written, and puts that one aside", async () => {
    const [odd, ...plain] = await Promise.all(Array.from({ length: 6 }, newSession));
    const poison = event(odd ?? "", said(REFUSED), 0);
    await append(
      ...plain.map((sessionId) => encodeCallEvent(event(sessionId, said("Hello"), 0))),
      encodeCallEvent(poison),
      encodeCallEvent(event(odd ?? "", said("and on"), 1)),
      "no event at all",
      ...plain.map((sessionId) => encodeCallEvent(event(sessionId, HUNG_UP, 1))),
    );
    for (const sessionId of plain) {
      await expect.poll(async () => (await read(sessionId)).status, SOON).toBe("completed");
      expect(await textsOf(sessionId)).toEqual(["Hello"]);
    }
    expect(await textsOf(odd ?? "")).toEqual(["and on"]);
    await expect.poll(backlog, SOON).toBe(0);
    const dead = await listDeadEvents(api.bus.streams);
    expect(dead.map(({ payload, reason, tries }) => ({ payload, reason, tries }))).toEqual([
      { payload: "no event at all", reason: expect.stringContaining("JSON"), tries: 0 },
      { payload: encodeCallEvent(poison), reason: expect.stringContaining("refused"), tries: 3 },
    ]);
    expect(await api.metrics.text()).toContain("parley_recorder_dead_total 2");
    const line =
      api.logged.find((one) => one.includes("it was put aside") && one.includes(poison.id)) ?? "{}";
    const { sessionId, orgId, type } = poison;
    expect(JSON.parse(line)).toMatchObject({ sessionId, orgId, type, entryId: expect.any(String) });
  });

  it("records a dead event that was mended, once, and leaves one dead that is still no event", async () => {
    const dead = await listDeadEvents(api.bus.streams);
    const refused = dead.find(({ payload }) => payload.includes(REFUSED));
    const unreadable = dead.find(({ payload }) => !payload.includes(REFUSED));
    if (!refused || !unreadable) throw new Error("nothing is dead");
    await expect(replayDeadEvent(api.bus.streams, unreadable)).rejects.toMatchObject({
      code: "validation_failed",
    });
    await replayDeadEvent(api.bus.streams, refused, { text: "what it takes" });
    const { sessionId } = decodeCallEvent(refused.payload);
    await expect.poll(() => textsOf(sessionId), SOON).toEqual(["what it takes", "and on"]);
    expect(await listDeadEvents(api.bus.streams)).toEqual([unreadable]);
  });

  it("records what a gateway of an earlier version sends, without what no database keeps", async () => {
    const sessionId = await newSession();
    const tool = {
      ...event(sessionId, said("x"), 1),
      type: "call.tool_invoked",
      name: "a\0",
      status: "success",
    };
    await append(
      JSON.stringify(event(sessionId, said("nul \0 half \ud800 end"), 0)),
      JSON.stringify({ ...tool, arguments: { "k\0": "\udfff" }, result: null, latencyMs: 1e12 }),
      JSON.stringify(event(sessionId, HUNG_UP, 2)),
    );
    await expect.poll(async () => (await read(sessionId)).status, SOON).toBe("completed");
    expect(await textsOf(sessionId)).toEqual(["nul \ufffd half \ufffd end"]);
    expect((await read(sessionId)).tools).toMatchObject([
      { name: "a\ufffd", arguments: { "k\ufffd": "\ufffd" }, latencyMs: 2_147_483_647 },
    ]);
  });

  it("records every event that can be made, whatever text and numbers are in it", async () => {
    const sessionId = await newSession();
    const text = fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
    const figure = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
    const whole = figure.map((value) => Math.min(Number.MAX_SAFE_INTEGER, Math.round(value)));
    const json = fc.jsonValue({ stringUnit: "binary", maxDepth: 5 });
    const body: fc.Arbitrary<CallEventBody> = fc.oneof(
      text.map(said),
      fc.record({
        type: fc.constant("call.tool_invoked" as const),
        turn: fc.nat(),
        name: text,
        arguments: json,
        result: fc.oneof(json, text, fc.constant(nested(9_000))),
        status: fc.constant("success" as const),
        latencyMs: whole,
      }),
      fc.record({
        type: fc.constant("call.turn_metrics" as const),
        turn: fc.nat(),
        metrics: fc.record({
          endOfTurnMs: figure,
          brainRequestMs: figure,
          brainFirstTokenMs: figure,
          firstClauseMs: figure,
          ttsFirstByteMs: figure,
          responseMs: figure,
        }),
      }),
      fc.record({
        type: fc.constant("recording.ready" as const),
        recordingId: fc.uuid(),
        key: text,
        durationMs: whole,
        sizeBytes: whole,
      }),
      fc.record({
        type: fc.constant("call.started" as const),
        nodeId: text,
        audio: text,
        callSid: fc.uuid(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 12 }), async (bodies) => {
        const events = bodies.map((one, seq) => decodeCallEvent(encodeCallEvent(event(sessionId, one, seq))));
        const { recorded } = await api.database.db
          .transaction()
          .execute((trx) => applyEvents(trx, events, { now: new Date() }));
        expect(recorded).toHaveLength(events.length);
      }),
      { numRuns: 60 },
    );
  });
});

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
