import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import type { Bus } from "./bus.ts";
import { request, serve } from "./request-reply.ts";

const READER = { group: "g", consumer: "a", count: 10, blockMs: 0, claimAfterMs: 60_000 };

/** The suite every bus passes. */
export function describeBusContract(name: string, open: () => Promise<Bus>): void {
  describe(name, () => {
    let bus: Bus;
    beforeAll(async () => {
      bus = await open();
    });
    afterAll(() => bus.close());

    it("delivers what is published after subscribe resolved, in order, to every subscriber", async () => {
      const heard: string[] = [];
      const stops = [
        await bus.channels.subscribe("news", (text) => heard.push(`1:${text}`)),
        await bus.channels.subscribe("news", (text) => heard.push(`2:${text}`)),
      ];
      for (const text of ["a", "b", "c"]) await bus.channels.publish("news", text);
      await expect.poll(() => heard.length).toBe(6);
      expect(heard.filter((text) => text.startsWith("1"))).toEqual(["1:a", "1:b", "1:c"]);
      await stops[0]?.();
      await bus.channels.publish("news", "d");
      await expect.poll(() => heard.at(-1)).toBe("2:d");
      expect(heard).not.toContain("1:d");
      await stops[1]?.();
    });

    it("keeps appended entries until they are acknowledged, also those from before the group", async () => {
      await bus.streams.append("s1", "one");
      await bus.streams.append("s1", "two");
      const entries = await bus.streams.read("s1", READER);
      expect(entries.map(({ payload }) => payload)).toEqual(["one", "two"]);
      expect(await bus.streams.read("s1", READER)).toEqual([]);
      expect(await bus.streams.backlog("s1", "g")).toBe(2);
      await bus.streams.ack(
        "s1",
        "g",
        entries.map(({ entryId }) => entryId),
      );
      expect(await bus.streams.backlog("s1", "g")).toBe(0);
    });

    it("shares entries between consumers and hands a dead one's to another", async () => {
      for (const payload of ["1", "2", "3"]) await bus.streams.append("s2", payload);
      const dead = await bus.streams.read("s2", { ...READER, count: 2 });
      const alive = await bus.streams.read("s2", { ...READER, consumer: "b" });
      expect([dead, alive].map((entries) => entries.map(({ payload }) => payload))).toEqual([
        ["1", "2"],
        ["3"],
      ]);
      const claimed = await bus.streams.read("s2", { ...READER, consumer: "b", claimAfterMs: 0, count: 2 });
      expect(claimed.map(({ payload }) => payload)).toEqual(["1", "2"]);
      expect(claimed[0]?.deliveries).toBeGreaterThan(0);
    });

    it("wakes a waiting reader as soon as something is appended", async () => {
      const reading = bus.streams.read("s3", { ...READER, blockMs: 10_000 });
      await bus.streams.append("s3", "now");
      expect((await reading).map(({ payload }) => payload)).toEqual(["now"]);
    });

    it("gives a key to one of many who take it", async () => {
      await bus.keys.set("plan", "x", 10_000);
      const taken = await Promise.all(Array.from({ length: 50 }, () => bus.keys.take("plan")));
      expect(taken.filter((value) => value === "x")).toHaveLength(1);
    });

    it("forgets keys after their lifetime", async () => {
      await bus.keys.set("short", "x", 30);
      expect(await bus.keys.get("short")).toBe("x");
      await expect.poll(() => bus.keys.get("short")).toBeUndefined();
    });

    it("sets a key once for whoever is first", async () => {
      const won = await Promise.all(
        ["a", "b", "c"].map((value) => bus.keys.setIfAbsent("lease", value, 10_000)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      await bus.keys.delete("lease");
      expect(await bus.keys.get("lease")).toBeUndefined();
    });

    it("lists a family of keys and nothing beside it", async () => {
      await bus.keys.set("node:1", "one", 10_000);
      await bus.keys.set("node:2", "two", 10_000);
      await bus.keys.set("nodes", "other", 10_000);
      expect(Object.fromEntries(await bus.keys.list("node:"))).toEqual({ "node:1": "one", "node:2": "two" });
    });

    it("answers a request, and tells when nobody does", async () => {
      const stop = await serve(bus.channels, "commands", async (payload) => `${payload}!`);
      const question = { payload: "hello", deadlineMs: 5_000, clock: systemClock };
      expect(await request(bus.channels, "commands", question)).toBe("hello!");
      await stop();
      expect(await request(bus.channels, "commands", { ...question, deadlineMs: 50 })).toBeUndefined();
    });
  });
}
