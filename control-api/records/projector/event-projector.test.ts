import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock, toTimestamp } from "@parley/shared/clock.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  type CallEventBody,
  PROJECTOR_GROUP,
} from "@parley/shared/contracts/call-events.ts";
import { liveCallKey, lostCallKey } from "@parley/shared/contracts/call-plan.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { NODE_TTL_MS } from "@parley/shared/contracts/gateway-nodes.ts";
import { framesChannel } from "@parley/shared/contracts/stream-frames.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { moveCall } from "../call-rows/move-call.ts";
import { applyEvents } from "./apply-events.ts";
import { Sweeper } from "./sweeper.ts";

let api: TestControlApi;
let acme: TestOrganization;
const log = createLogger({ level: "silent", format: "json", name: "test" });

/** Everything below is held on both databases. */
const DATABASES = [
  {
    name: "the embedded database",
    isThere: true,
    create: async () => ({ url: undefined, drop: async () => undefined }),
  },
  { name: "Postgres", isThere: needs("postgres"), create: createTestDatabase },
];

async function newSession(): Promise<string> {
  const answer = await api.call("POST", "/api/sessions/init-web-call", {
    key: acme.keys.owner,
    body: { agentId: acme.agentId },
  });
  return (answer.body.data as { sessionId: string }).sessionId;
}

function event(sessionId: string, body: CallEventBody, seq = 0, atMs = Date.now()): CallEvent {
  return { id: newId("evt"), sessionId, orgId: acme.orgId, seq, at: toTimestamp(atMs), ...body } as CallEvent;
}

async function append(...events: CallEvent[]): Promise<void> {
  for (const one of events) await api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(one));
}

const read = async (sessionId: string) =>
  (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;
const settled = (sessionId: string) =>
  expect.poll(async () => (await read(sessionId)).endTime).not.toBeNull();

const STARTED: CallEventBody = { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le/16000" };
const HUNG_UP: CallEventBody = { type: "call.ended", ...endFor("in-progress", "hangup") };
const said = (role: "user" | "assistant", text: string, turn: number): CallEventBody => ({
  type: "call.message",
  role,
  text,
  turn,
  interrupted: false,
  source: role === "user" ? "speech" : "brain",
});

describe.each(DATABASES.filter(({ isThere }) => isThere))("on $name", ({ create }) => {
  let drop: () => Promise<unknown>;
  beforeAll(async () => {
    const made = await create();
    drop = made.drop;
    api = await TestControlApi.start(
      made.url === undefined ? { isEmbedded: true } : { databaseUrl: made.url },
    );
    acme = await api.createOrganization();
    await api.registerNode({ maxCalls: 1_000 });
  });
  afterAll(async () => {
    await api.close();
    await drop();
  });

  describe("the recorder", () => {
    it("makes a call's record of its events", async () => {
      const sessionId = await newSession();
      const startMs = Date.now();
      await append(
        event(sessionId, STARTED, 0, startMs),
        event(sessionId, said("user", "Hello", 1), 1),
        event(
          sessionId,
          {
            type: "call.turn_metrics",
            turn: 1,
            metrics: {
              endOfTurnMs: 300,
              brainRequestMs: 0,
              brainFirstTokenMs: 200,
              firstClauseMs: 0,
              ttsFirstByteMs: 50,
              responseMs: 560,
            },
          },
          2,
        ),
        event(sessionId, said("assistant", "Hi there", 1), 3),
        event(
          sessionId,
          {
            type: "call.tool_invoked",
            turn: 1,
            name: "book",
            arguments: { n: 2 },
            result: [true],
            status: "success",
            latencyMs: 12,
          },
          4,
        ),
        event(sessionId, { type: "call.dtmf", digit: "#" }, 5),
        event(sessionId, HUNG_UP, 6, startMs + 2_900),
      );
      await settled(sessionId);
      expect(await read(sessionId)).toMatchObject({
        status: "completed",
        endReason: null,
        durationSecs: 2,
        transcript: [
          { role: "user", text: "Hello", turn: 1, interrupted: false },
          { role: "assistant", text: "Hi there", turn: 1, interrupted: false },
        ],
        latency: [
          {
            turn: 1,
            endOfTurnMs: 300,
            brainRequestMs: 0,
            brainFirstTokenMs: 200,
            firstClauseMs: 0,
            ttsFirstByteMs: 50,
            responseMs: 560,
          },
        ],
        tools: [{ name: "book", arguments: { n: 2 }, result: [true], status: "success", latencyMs: 12 }],
      });
    });

    it("joins what was decided about the floor from the events that tell of it, turn by turn", async () => {
      const sessionId = await newSession();
      const metrics = {
        endOfTurnMs: 360,
        brainRequestMs: 0,
        brainFirstTokenMs: 150,
        firstClauseMs: 0,
        ttsFirstByteMs: 50,
        responseMs: 560,
      };
      const ended = {
        atMs: 1_000,
        decision: "end_turn",
        reason: "complete",
        afterMs: 360,
        words: 4,
      } as const;
      const duck = { atMs: 2_000, decision: "duck", reason: "voice" } as const;
      const first: CallEventBody = {
        type: "call.turn_metrics",
        turn: 1,
        metrics,
        floor: [{ turn: 1, decisions: [ended], dropped: 0 }],
      };
      const last: CallEventBody = {
        ...HUNG_UP,
        floor: [
          { turn: 1, decisions: [duck], dropped: 3 },
          { turn: 2, decisions: [{ ...ended, atMs: 4_000 }], dropped: 0 },
        ],
      };
      await append(event(sessionId, STARTED, 0), event(sessionId, first, 1), event(sessionId, last, 2));
      await settled(sessionId);
      const joined = [
        { turn: 1, decisions: [ended, duck], dropped: 3 },
        { turn: 2, decisions: [{ ...ended, atMs: 4_000 }], dropped: 0 },
      ];
      expect((await read(sessionId)).floor).toEqual(joined);
    });

    it("keeps nothing of a decision but codes and figures, and a call's end whatever comes with it", async () => {
      const [sessionId, odd] = [await newSession(), await newSession()];
      const made = { atMs: 1, decision: "end_turn", reason: "of_a_later_version", text: "my card is 4111" };
      const floor = [{ turn: 1, decisions: [made], dropped: 0, heard: "my card is 4111" }];
      const told = { ...event(sessionId, HUNG_UP, 1), floor };
      const broken = { ...event(odd, HUNG_UP, 1), floor: [{ turn: "one" }] };
      await append(event(sessionId, STARTED, 0), told as CallEvent);
      await append(event(odd, STARTED, 0), broken as unknown as CallEvent);
      await settled(sessionId);
      await settled(odd);
      expect((await read(sessionId)).floor).toEqual([
        { turn: 1, decisions: [{ atMs: 1, decision: "end_turn", reason: "other" }], dropped: 0 },
      ]);
      const { rows } = await sql<{ body: string }>`
        select body::text from call_events where session_id = ${sessionId}`.execute(api.database.db);
      expect(rows.map(({ body }) => body).join()).not.toContain("my card");
      expect((await read(odd)).floor).toEqual([]);
    });

    it("writes an event once however often it comes, and in whatever order", async () => {
      const sessionId = await newSession();
      const [start, hello, end] = [
        event(sessionId, STARTED),
        event(sessionId, said("user", "Hello", 1), 1),
        event(sessionId, HUNG_UP, 2),
      ];
      await append(end, hello, start, hello, end, start);
      await expect.poll(() => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(0);
      const record = await read(sessionId);
      expect(record.transcript).toHaveLength(1);
      expect(record).toMatchObject({ status: "completed" });
      expect(record.startTime).not.toBeNull();
    });

    it("holds a call's end until everything before it is recorded", async () => {
      const sessionId = await newSession();
      await append(event(sessionId, HUNG_UP, 2), event(sessionId, STARTED, 0));
      await expect.poll(async () => (await read(sessionId)).status).toBe("in-progress");
      await expect.poll(() => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(1);
      expect((await read(sessionId)).endTime).toBeNull();
      // As it comes when another process had taken it.
      await append(event(sessionId, said("user", "Hello", 1), 1));
      await settled(sessionId);
      await expect.poll(() => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(0);
    });

    it("writes no call down as unanswered that went live, whoever tells it so", async () => {
      const sessionId = await newSession();
      await append(
        event(sessionId, STARTED),
        event(sessionId, { type: "call.ended", ...endFor("ringing", "busy") }, 1),
      );
      await settled(sessionId);
      expect(await read(sessionId)).toMatchObject({ status: "completed" });
    });

    it("ends a call as it was told first, if whoever told it tells another end under the same id at once", async () => {
      const sessionId = await newSession();
      const machine = event(sessionId, { type: "call.ended", ...endFor("ringing", "amd_hangup") });
      const hungUp = event(sessionId, { type: "call.ended", ...endFor("ringing", "hangup") });
      const { db } = api.database;
      await db
        .transaction()
        .execute((trx) => applyEvents(trx, [machine, { ...hungUp, id: machine.id }], { now: new Date() }));
      expect(await read(sessionId)).toMatchObject({ status: "completed", endReason: "amd_hangup" });
    });

    it("lets no call go live that was declined", async () => {
      const sessionId = await newSession();
      await moveCall(api.database, sessionId, { from: "queued", event: "is declined" });
      await append(event(sessionId, STARTED));
      await expect.poll(async () => (await read(sessionId)).startTime).not.toBeNull();
      expect(await read(sessionId)).toMatchObject({ status: "busy", endTime: null });
      await append(event(sessionId, HUNG_UP, 1));
      await settled(sessionId);
      expect(await read(sessionId)).toMatchObject({ status: "busy" });
    });

    it("killed between commit and acknowledge leaves nothing doubled", async () => {
      const sessionId = await newSession();
      const hello = event(sessionId, said("user", "Hello", 1));
      // What an event projector that died after its commit leaves behind: written, and still in the stream.
      await api.database.db.transaction().execute((trx) => applyEvents(trx, [hello], { now: new Date() }));
      await append(hello, event(sessionId, HUNG_UP, 1));
      await settled(sessionId);
      expect((await read(sessionId)).transcript).toHaveLength(1);
    });

    it("puts aside what it cannot read and goes on", async () => {
      const sessionId = await newSession();
      await api.bus.streams.append(CALL_EVENTS_STREAM, "not json");
      await api.bus.streams.append(CALL_EVENTS_STREAM, '{"type":"call.sang"}');
      await append(event(sessionId, HUNG_UP));
      await settled(sessionId);
    });
  });

  describe("the sweeper", () => {
    it("ends the calls of a node that died, once, and tells their watchers", async () => {
      const clock = new ManualClock(Date.now());
      const bus = createMemoryBus({ clock: systemClock });
      const sessionId = await newSession();
      await append(event(sessionId, { ...STARTED, nodeId: "nod_dead" }));
      await expect.poll(async () => (await read(sessionId)).status).toBe("in-progress");
      const frames: string[] = [];
      await bus.channels.subscribe(framesChannel(sessionId), (frame) => frames.push(frame));
      await bus.keys.set(liveCallKey(sessionId), "nod_dead", 60_000);
      const sweepers = [1, 2].map(() => new Sweeper({ bus, database: api.database, clock, log }));
      for (const sweeper of sweepers) await sweeper.sweep();
      expect(await bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(0);
      clock.advance(NODE_TTL_MS);
      for (const sweeper of sweepers) await sweeper.sweep();
      const reader = { group: "test", consumer: "test", count: 10, blockMs: 0, claimAfterMs: 60_000 };
      const raised = (await bus.streams.read(CALL_EVENTS_STREAM, reader)).map(
        ({ payload }) => JSON.parse(payload) as CallEvent,
      );
      const ours = raised.filter((one) => one.sessionId === sessionId);
      expect(new Set(ours.map(({ id }) => id)).size).toBe(1);
      expect(ours[0]).toMatchObject({ type: "call.ended", reason: "node_lost", status: "failed" });
      expect(frames.some((frame) => frame.includes("call.ended"))).toBe(true);
      expect(await bus.keys.get(liveCallKey(sessionId))).toBeUndefined();
      expect(await bus.keys.get(lostCallKey(sessionId))).toBe("node_lost");
      await append(...ours);
      await settled(sessionId);
      expect(await read(sessionId)).toMatchObject({ status: "failed", endReason: "node_lost" });
      await bus.close();
    });

    it("ends a call whose node died before it could tell that it had started", async () => {
      const clock = new ManualClock(Date.now() + 120_000);
      const sessionId = await newSession();
      await api.bus.keys.set(liveCallKey(sessionId), "nod_dead", 60_000);
      const sweeper = new Sweeper({ bus: api.bus, database: api.database, clock, log });
      await sweeper.sweep();
      expect(await read(sessionId)).toMatchObject({ status: "queued", endReason: null });
      clock.advance(NODE_TTL_MS);
      await sweeper.sweep();
      await settled(sessionId);
      expect(await read(sessionId)).toMatchObject({ status: "failed", endReason: "node_lost" });
    });

    it("ends a session nobody connected to", async () => {
      const sessionId = await newSession();
      const later = new ManualClock(Date.now() + 120_000);
      await new Sweeper({ bus: api.bus, database: api.database, clock: later, log }).sweep();
      await settled(sessionId);
      expect(await read(sessionId)).toMatchObject({ status: "canceled", endReason: "never_connected" });
    });
  });
});
