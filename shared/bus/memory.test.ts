import { describe, expect, it } from "vitest";
import { ManualClock } from "../manual-clock.ts";
import { createMemoryBus } from "./memory.ts";
import { MemoryKeys } from "./memory-keys.ts";
import { MAX_STREAM_ENTRIES } from "./memory-streams.ts";

const READER = { group: "g", consumer: "a", count: 10, blockMs: 0, claimAfterMs: 1_000 };

describe("the bus inside a process", () => {
  it("hands a dead consumer's entries over after the time it was given, not before", async () => {
    const clock = new ManualClock();
    const { streams } = createMemoryBus({ clock });
    await streams.append("s", "one");
    await streams.read("s", READER);
    clock.advance(999);
    expect(await streams.read("s", { ...READER, consumer: "b" })).toEqual([]);
    clock.advance(1);
    const [claimed] = await streams.read("s", { ...READER, consumer: "b" });
    expect(claimed).toMatchObject({ payload: "one", deliveries: 1 });
  });

  it("forgets keys nobody asks for again, whatever lives longer beside them", async () => {
    const clock = new ManualClock();
    const keys = new MemoryKeys(clock);
    for (let i = 0; i < 10_000; i++) {
      await keys.set("node:1", "refreshed forever", 10_000);
      await keys.set(`plan:${i}`, "never asked for", 1_000);
      clock.advance(100);
    }
    expect(keys.size).toBeLessThan(300);
    expect(await keys.get("node:1")).toBe("refreshed forever");
  });

  it("refuses to hold a stream without end that nobody reads", async () => {
    const { streams } = createMemoryBus({ clock: new ManualClock() });
    for (let i = 0; i < MAX_STREAM_ENTRIES; i++) await streams.append("s", "");
    await expect(streams.append("s", "")).rejects.toMatchObject({ code: "unavailable" });
    const entries = await streams.read("s", READER);
    await streams.ack(
      "s",
      "g",
      entries.map(({ entryId }) => entryId),
    );
    await expect(streams.append("s", "")).resolves.toBeUndefined();
  });

  it("sends waiting readers home when it closes, and takes nothing more", async () => {
    const bus = createMemoryBus({ clock: new ManualClock() });
    const reading = bus.streams.read("s", { ...READER, blockMs: 60_000 });
    await bus.close();
    expect(await reading).toEqual([]);
    expect(bus.isReady()).toBe(false);
    await expect(bus.streams.append("s", "late")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("sends a reader home that is told to stop, however long it would wait", async () => {
    const { streams } = createMemoryBus({ clock: new ManualClock() });
    const stop = new AbortController();
    const reading = streams.read("s", { ...READER, blockMs: 60_000, signal: stop.signal });
    stop.abort();
    expect(await reading).toEqual([]);
  });

  it("is not woken by another stream", async () => {
    const clock = new ManualClock();
    const { streams } = createMemoryBus({ clock });
    let isHome = false;
    const reading = streams.read("s", { ...READER, blockMs: 1_000 }).then((entries) => {
      isHome = true;
      return entries;
    });
    await streams.append("other", "x");
    await Promise.resolve();
    expect(isHome).toBe(false);
    clock.advance(1_000);
    expect(await reading).toEqual([]);
  });

  it("knows when nobody listens", async () => {
    const { channels } = createMemoryBus({ clock: new ManualClock() });
    expect(channels.hasNoSubscriber("news")).toBe(true);
    const stop = await channels.subscribe("news", () => undefined);
    expect(channels.hasNoSubscriber("news")).toBe(false);
    await stop();
    expect(channels.hasNoSubscriber("news")).toBe(true);
  });
});
