import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { CALL_EVENTS_STREAM, type CallEvent, callEventSchema } from "@parley/shared/contracts/call-events.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { describe, expect, it } from "vitest";
import { CallEventLog } from "./call-event-log.ts";
import { MemorySpill } from "./memory-spill.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });

/** An event log over a bus that can be taken away and given back. */
function setUp(spillMax = 1_000) {
  const bus = createMemoryBus({ clock: systemClock });
  const clock = new ManualClock();
  const metrics = createMetrics();
  const link = { isAway: false, losesAnswers: false, appends: 0 };
  const streams = {
    ...bus.streams,
    append: async (stream: string, payload: string) => {
      link.appends += 1;
      if (link.isAway) throw new Error("away");
      await bus.streams.append(stream, payload);
      if (link.losesAnswers) throw new Error("no answer");
    },
  };
  const spill = new MemorySpill(spillMax, () => metrics.callEventsLostTotal.inc());
  const events = new CallEventLog({ streams, clock, log, metrics, spill });
  const received = async (): Promise<CallEvent[]> => {
    const reader = { group: "g", consumer: "c", count: 10_000, blockMs: 0, claimAfterMs: 0 };
    const entries = await bus.streams.read(CALL_EVENTS_STREAM, reader);
    return entries.map(({ payload }) => callEventSchema.parse(JSON.parse(payload)));
  };
  return { events, clock, link, metrics, received, spill, streams };
}

const dtmf = { type: "call.dtmf", digit: "1" } as const;
const ended = { type: "call.ended", ...endFor("in-progress", "hangup") } as const;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the call event log", () => {
  it("hands events over in order, numbered within their call, with three fractional digits", async () => {
    const { events, received } = setUp();
    const [a, b] = [
      events.forCall({ sessionId: "a", orgId: "o" }),
      events.forCall({ sessionId: "b", orgId: "o" }),
    ];
    a.append(dtmf);
    b.append(dtmf);
    a.append(ended);
    await settle();
    const all = await received();
    expect(all.map(({ sessionId, seq }) => `${sessionId}${seq}`)).toEqual(["a0", "b0", "a1"]);
    expect(all[0]?.at).toMatch(/\.\d{3}Z$/);
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
  });

  it("tells no two of a call to have happened at the same time, or earlier than the one before", async () => {
    const { events, clock, received } = setUp();
    const call = events.forCall({ sessionId: "a", orgId: "o" });
    const said = call.stamp();
    for (let i = 0; i < 7; i++) call.append(dtmf);
    clock.stepWall(-60_000);
    call.append(ended);
    await settle();
    const times = (await received()).map(({ at }) => at);
    expect(new Set([said, ...times]).size).toBe(9);
    expect([said, ...times]).toEqual([said, ...times].toSorted());
  });

  it("keeps them while the bus is away and hands each over once it is back", async () => {
    const { events, clock, link, received, metrics } = setUp();
    link.isAway = true;
    const call = events.forCall({ sessionId: "a", orgId: "o" });
    for (let i = 0; i < 200; i++) call.append(dtmf);
    call.append(ended);
    await settle();
    expect((await metrics.eventSpillSize.get()).values[0]?.value).toBe(201);
    link.isAway = false;
    clock.advance(500);
    await settle();
    const all = await received();
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 201 }, (_, i) => i));
  });

  it("asks a bus that is away once a pause, however many events come meanwhile", async () => {
    const { events, clock, link } = setUp();
    link.isAway = true;
    const call = events.forCall({ sessionId: "a", orgId: "o" });
    for (let i = 0; i < 200; i++) {
      call.append(dtmf);
      await settle();
    }
    const before = link.appends;
    for (let pause = 0; pause < 10; pause++) {
      clock.advance(500);
      await settle();
    }
    expect(before).toBeLessThanOrEqual(64);
    expect(link.appends - before).toBeLessThanOrEqual(10 * 64);
  });

  it("sends one whose fate is unknown again under the same id, and none is missing", async () => {
    const { events, clock, link, received } = setUp();
    const call = events.forCall({ sessionId: "a", orgId: "o" });
    link.losesAnswers = true;
    for (let i = 0; i < 5; i++) call.append(dtmf);
    await settle();
    link.losesAnswers = false;
    clock.advance(500);
    await settle();
    const all = await received();
    expect(all).toHaveLength(6);
    const once = new Map(all.map((event) => [event.id, event.seq]));
    expect([...once.values()]).toEqual([0, 1, 2, 3, 4]);
  });

  it("drops what matters least when it can keep no more, and counts it", async () => {
    const { events, clock, link, received, metrics } = setUp(10);
    link.isAway = true;
    const call = events.forCall({ sessionId: "a", orgId: "o" });
    call.append(ended);
    for (let i = 0; i < 20; i++) call.append(dtmf);
    link.isAway = false;
    await settle();
    clock.advance(500);
    await settle();
    const all = await received();
    expect(all).toHaveLength(10);
    expect(all.some(({ type }) => type === "call.ended")).toBe(true);
    expect((await metrics.callEventsLostTotal.get()).values[0]?.value).toBe(11);
  });

  it("has events that are long on their way outlive the process", async () => {
    const { events, clock, spill, streams } = setUp();
    const kept: number[] = [];
    spill.keep = () => kept.push(spill.size);
    let answer: () => void = () => undefined;
    streams.append = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    events.forCall({ sessionId: "a", orgId: "o" }).append(ended);
    clock.advance(249);
    expect(kept).toEqual([]);
    clock.advance(1);
    expect(kept).toEqual([1]);
    answer();
    await settle();
    expect(spill.size).toBe(0);
  });

  it("tries nothing and takes nothing after its end", async () => {
    const { events, clock, link } = setUp();
    link.isAway = true;
    const call = events.forCall({ sessionId: "a", orgId: "o" });
    call.append(ended);
    await settle();
    const closed = events.close(100);
    clock.advance(100);
    await closed;
    const before = link.appends;
    clock.advance(60_000);
    await settle();
    expect(link.appends).toBe(before);
    expect(call.append(dtmf)).toBe(false);
  });

  it("tells at the end how many could not be handed over", async () => {
    const { events, clock, link } = setUp();
    link.isAway = true;
    events.forCall({ sessionId: "a", orgId: "o" }).append(ended);
    const closed = events.close(1_000);
    clock.advance(1_000);
    expect(await closed).toBe(1);
  });
});
