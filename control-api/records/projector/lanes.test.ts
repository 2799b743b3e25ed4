import type { Bus } from "@parley/shared/bus/bus.ts";
import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { CALL_EVENTS_STREAM, type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs, testRedisUrl } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

const SESSIONS = 12;
const log = createLogger({ level: "silent", format: "json", name: "test" });
const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;
const open = (lanes: number): Promise<Bus> => connectRedisBus({ url: testRedisUrl(), log, keyPrefix, lanes });

describe.runIf(needs("redis"))("events in lanes", () => {
  let api: TestControlApi;
  let acme: TestOrganization;
  const buses: Bus[] = [];
  beforeAll(async () => {
    // The control API is told of two lanes.
    api = await TestControlApi.start({ bus: await open(2) });
    acme = await api.createOrganization();
    await api.registerNode({ maxCalls: 1_000 });
  });
  afterAll(async () => {
    await api.close();
    for (const bus of buses) await bus.close();
  });

  /** Appends what a gateway with so many lanes tells of a few calls; returns the calls. */
  async function tell(lanes: number): Promise<string[]> {
    const bus = await open(lanes);
    buses.push(bus);
    const sessions = await Promise.all(Array.from({ length: SESSIONS }, newSession));
    for (const [seq, body] of TOLD.entries())
      for (const sessionId of sessions) {
        const about = { id: newId("evt"), sessionId, orgId: acme.orgId, seq, at: new Date().toISOString() };
        await appendCallEvent(bus.streams, encodeCallEvent({ ...about, ...body } as CallEvent));
      }
    return sessions;
  }

  async function newSession(): Promise<string> {
    const { body } = await api.call("POST", "/api/sessions/init-web-call", {
      key: acme.keys.owner,
      body: { agentId: acme.agentId },
    });
    return (body.data as { sessionId: string }).sessionId;
  }

  async function recorded(sessions: readonly string[]): Promise<Map<string, number[]>> {
    const rows = await api.database.db
      .selectFrom("call_events")
      .select(["session_id", "seq"])
      .where("session_id", "in", sessions)
      .orderBy("seq")
      .execute();
    return new Map(
      [...Map.groupBy(rows, (row) => row.session_id)].map(([id, of]) => [id, of.map(({ seq }) => seq)]),
    );
  }

  it.each([
    ["as a version without lanes wrote them", 1],
    ["as many as the control API is told", 2],
    ["more than the control API is told", 7],
  ])("are all recorded once, in their call's order: %s", async (_, lanes) => {
    const sessions = await tell(lanes);
    const all = new Map(sessions.map((sessionId) => [sessionId, TOLD.map((_, seq) => seq)]));
    await expect.poll(() => recorded(sessions), { timeout: 90_000 }).toEqual(all);
    const reader = await open(1);
    buses.push(reader);
    const used = await reader.streams.lanesOf(CALL_EVENTS_STREAM);
    expect(used.length).toBeGreaterThanOrEqual(Math.min(2, lanes));
  });
});

const TOLD = [
  { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le/16000" },
  { type: "call.message", turn: 1, role: "user", text: "Hello", interrupted: false, source: "speech" },
  { type: "call.ended", reason: "hangup", status: "completed", durationSecs: 1 },
] as const;
