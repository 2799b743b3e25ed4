import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import type { Bus, StreamEntry } from "./bus.ts";
import { request, serve } from "./request-reply.ts";

const READER = { group: "g", consumer: "a", count: 10, blockMs: 0, claimAfterMs: 60_000 };

function entryIdsOf(entries: readonly StreamEntry[]): string[] {
  return entries.map(({ entryId }) => entryId);
}

function payloadsOf(entries: readonly { payload: string }[]): string[] {
  return entries.map(({ payload }) => payload);
}

/** How many lanes the bus of the suite has. */
export const LANES = 4;

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

    it("keeps the order of what a process publishes without waiting", async () => {
      const heard: string[] = [];
      const stop = await bus.channels.subscribe("order", (text) => heard.push(text));
      const sent = Array.from({ length: 500 }, (_, i) => String(i));
      await Promise.all(sent.map((text) => bus.channels.publish("order", text)));
      await expect.poll(() => heard.length).toBe(sent.length);
      expect(heard).toEqual(sent);
      await stop();
    });

    it("goes on when a listener throws", async () => {
      const heard: string[] = [];
      const stops = [
        await bus.channels.subscribe("faulty", () => {
          throw new Error("a fault in one call");
        }),
        await bus.channels.subscribe("faulty", (text) => heard.push(text)),
      ];
      await bus.channels.publish("faulty", "a");
      await expect.poll(() => heard).toEqual(["a"]);
      for (const stop of stops) await stop();
    });

    it("keeps a channel for those who stay when others leave and come", async () => {
      const heard: string[] = [];
      const stay = await bus.channels.subscribe("busy", (text) => heard.push(text));
      for (let i = 0; i < 10; i++) await (await bus.channels.subscribe("busy", () => undefined))();
      await bus.channels.publish("busy", "still");
      await expect.poll(() => heard).toEqual(["still"]);
      await stay();
      await stay();
    });

    it("keeps appended entries until they are acknowledged, also those from before the group", async () => {
      await bus.streams.append("s1", "one");
      await bus.streams.append("s1", "two");
      const entries = await bus.streams.read("s1", READER);
      expect(entries.map(({ payload }) => payload)).toEqual(["one", "two"]);
      expect(await bus.streams.read("s1", READER)).toEqual([]);
      expect(await bus.streams.backlog("s1", "g")).toBe(2);
      await bus.streams.ack("s1", "g", entryIdsOf(entries));
      expect(await bus.streams.backlog("s1", "g")).toBe(0);
    });

    it("gives every group every entry, whichever reads or acknowledges first", async () => {
      const other = { ...READER, group: "other" };
      for (const payload of ["1", "2", "3"]) await bus.streams.append("s4", payload);
      const first = await bus.streams.read("s4", READER);
      expect(await bus.streams.backlog("s4", "other")).toBe(3);
      await bus.streams.ack("s4", "g", entryIdsOf(first));
      const second = await bus.streams.read("s4", other);
      expect(second.map(({ payload }) => payload)).toEqual(["1", "2", "3"]);
      await bus.streams.ack("s4", "other", entryIdsOf(second.slice(1)));
      expect(await bus.streams.backlog("s4", "other")).toBe(1);
      const claimed = await bus.streams.read("s4", { ...other, consumer: "b", claimAfterMs: 0 });
      expect(claimed.map(({ payload }) => payload)).toEqual(["1"]);
    });

    it("counts a backlog rightly through hundreds of acknowledged entries", async () => {
      for (let round = 0; round < 7; round++) {
        await Promise.all(Array.from({ length: 50 }, (_, i) => bus.streams.append("s5", `${round}/${i}`)));
        expect(await bus.streams.backlog("s5", "g")).toBe(50);
        const entries = await bus.streams.read("s5", { ...READER, count: 50 });
        expect(entries.map(({ payload }) => payload)).toEqual(
          Array.from({ length: 50 }, (_, i) => `${round}/${i}`),
        );
        await bus.streams.ack("s5", "g", entryIdsOf(entries));
        expect(await bus.streams.backlog("s5", "g")).toBe(0);
      }
    });

    it("claims nothing from a consumer that is still at work", async () => {
      await bus.streams.append("s6", "busy");
      await bus.streams.read("s6", READER);
      expect(await bus.streams.read("s6", { ...READER, consumer: "b" })).toEqual([]);
    });

    it("takes an acknowledgement twice, and one of an entry it never had", async () => {
      await bus.streams.append("s7", "one");
      const entryIds = entryIdsOf(await bus.streams.read("s7", READER));
      await bus.streams.ack("s7", "g", [...entryIds, ...entryIds, "999999999-0"]);
      await bus.streams.ack("s7", "g", entryIds);
      await bus.streams.append("s7", "two");
      expect((await bus.streams.read("s7", READER)).map(({ payload }) => payload)).toEqual(["two"]);
    });

    it("ends a wait in which nothing comes", async () => {
      expect(await bus.streams.read("s8", { ...READER, blockMs: 20 })).toEqual([]);
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

    it("tells whether another consumer holds something from before", async () => {
      for (const payload of ["1", "2", "3"]) await bus.streams.append("s9", payload);
      const [first] = await bus.streams.read("s9", { ...READER, count: 1 });
      const rest = await bus.streams.read("s9", { ...READER, consumer: "b" });
      const last = rest.at(-1)?.entryId ?? "";
      const isHeldFor = (consumer: string, entryId: string) =>
        bus.streams.isEarlierHeld("s9", { group: "g", consumer }, entryId);
      expect(await isHeldFor("b", last)).toBe(true);
      // The consumer's own entries do not count, nor does the entry itself or anything after it.
      expect(await isHeldFor("a", first?.entryId ?? "")).toBe(false);
      await bus.streams.ack("s9", "g", [first?.entryId ?? ""]);
      expect(await isHeldFor("b", last)).toBe(false);
    });

    it("lists what a stream holds without taking it, and takes entries out", async () => {
      for (const payload of ["1", "2", "3", "4"]) await bus.streams.append("s10", payload);
      const all = await bus.streams.list("s10", { count: 10 });
      expect(payloadsOf(all)).toEqual(["1", "2", "3", "4"]);
      const after = all[0]?.entryId;
      expect(payloadsOf(await bus.streams.list("s10", { count: 2, after }))).toEqual(["2", "3"]);
      await bus.streams.remove("s10", [all[0]?.entryId ?? "", all[2]?.entryId ?? "", "999999999-0"]);
      expect(payloadsOf(await bus.streams.list("s10", { count: 10 }))).toEqual(["2", "4"]);
      expect(await bus.streams.list("s10", { count: 10, after: all[3]?.entryId })).toEqual([]);
      expect(payloadsOf(await bus.streams.read("s10", READER))).toEqual(["2", "4"]);
      expect(await bus.streams.list("s11", { count: 1 })).toEqual([]);
    });

    it("keeps the newest entries of a stream, and tells how many went", async () => {
      for (const payload of ["1", "2", "3"]) await bus.streams.append("s12", payload);
      expect(await bus.streams.keepNewest("s12", 3)).toBe(0);
      expect(await bus.streams.keepNewest("s12", 2)).toBe(1);
      const left = await bus.streams.list("s12", { count: 10 });
      expect(left.map(({ payload }) => payload)).toEqual(["2", "3"]);
    });

    it("keeps what shares a key in one lane, in order, and everything else in the others", async () => {
      const keys = Array.from({ length: 24 }, (_, i) => `key-${i}`);
      for (const nr of [1, 2, 3])
        await Promise.all(keys.map((key) => bus.streams.append("s14", `${key}/${nr}`, key)));
      await bus.streams.append("s14", "without a key");
      const lanes = await bus.streams.lanesOf("s14");
      expect(lanes[0]).toBe("s14");
      expect(lanes).toHaveLength(LANES);
      const held = await Promise.all(lanes.map((lane) => bus.streams.read(lane, { ...READER, count: 100 })));
      expect(payloadsOf(held[0] ?? [])).toContain("without a key");
      const inLanes = held.map(payloadsOf);
      expect(inLanes.every((payloads) => payloads.length > 0)).toBe(true);
      expect(inLanes.flat()).toHaveLength(3 * keys.length + 1);
      for (const key of keys) {
        const found = inLanes.map((payloads) => payloads.filter((payload) => payload.startsWith(`${key}/`)));
        expect(found.filter((payloads) => payloads.length > 0)).toEqual([
          [`${key}/1`, `${key}/2`, `${key}/3`],
        ]);
      }
    });

    it("lets a reader of one lane go on while another waits in vain", async () => {
      const keys = Array.from({ length: 24 }, (_, i) => `key-${i}`);
      await Promise.all(keys.map((key) => bus.streams.append("s16", key, key)));
      const [quiet = "", busy = ""] = await bus.streams.lanesOf("s16");
      const [quietKey = ""] = payloadsOf(await bus.streams.read(quiet, READER));
      const [busyKey = ""] = payloadsOf(await bus.streams.read(busy, READER));
      const waiting = bus.streams.read(quiet, { ...READER, blockMs: 60_000 });
      const reading = bus.streams.read(busy, { ...READER, blockMs: 60_000 });
      await bus.streams.append("s16", "go on", busyKey);
      const first = Promise.race([waiting.then(() => quiet), reading.then(() => busy)]);
      expect(await first).toBe(busy);
      expect(payloadsOf(await reading)).toEqual(["go on"]);
      await bus.streams.append("s16", "at last", quietKey);
      expect(payloadsOf(await waiting)).toEqual(["at last"]);
    });

    it("wakes a waiting reader as soon as something is appended", async () => {
      const reading = bus.streams.read("s3", { ...READER, blockMs: 10_000 });
      await bus.streams.append("s3", "now");
      expect((await reading).map(({ payload }) => payload)).toEqual(["now"]);
    });

    it("lets nothing get lost between a reader that stops waiting and the next read", async () => {
      const stop = new AbortController();
      const stopping = { ...READER, blockMs: 100, signal: stop.signal };
      const reading = bus.streams.read("s13", stopping);
      stop.abort();
      await bus.streams.append("s13", "one");
      const first = payloadsOf(await reading);
      await bus.streams.append("s13", "two");
      expect([...first, ...payloadsOf(await bus.streams.read("s13", stopping))]).toEqual(["one", "two"]);
      expect(await bus.streams.read("s13", { ...stopping, blockMs: 60_000 })).toEqual([]);
    });

    it("gives a key to one of many who take it", async () => {
      await bus.keys.set("plan", "x", 10_000);
      const taken = await Promise.all(Array.from({ length: 50 }, () => bus.keys.take("plan")));
      expect(taken.filter((value) => value === "x")).toHaveLength(1);
    });

    it("forgets keys after their lifetime", async () => {
      await bus.keys.set("short", "x", 500);
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

    it("gives a key a new lifetime when it is set again", async () => {
      await bus.keys.set("lease", "a", 30);
      await bus.keys.set("lease", "b", 10_000);
      await bus.keys.set("witness", "x", 40);
      await expect.poll(() => bus.keys.get("witness")).toBeUndefined();
      expect(await bus.keys.get("lease")).toBe("b");
      await bus.keys.delete("lease");
    });

    it("lists a family of keys and nothing beside it", async () => {
      await bus.keys.set("node:1", "one", 10_000);
      await bus.keys.set("node:2", "two", 10_000);
      await bus.keys.set("nodes", "other", 10_000);
      await bus.keys.set("node?x", "other", 10_000);
      expect(Object.fromEntries(await bus.keys.list("node:"))).toEqual({ "node:1": "one", "node:2": "two" });
    });

    it("lists no key whose lifetime is over, and one again that is set again", async () => {
      await bus.keys.set("node:3", "short", 30);
      const third = async () => (await bus.keys.list("node:")).get("node:3");
      await expect.poll(third).toBeUndefined();
      await bus.keys.set("node:3", "long", 10_000);
      expect(await third()).toBe("long");
      await bus.keys.delete("node:3");
      expect(await third()).toBeUndefined();
    });

    it("answers a request, and tells when nobody does", async () => {
      const stop = await serve(bus.channels, "commands", async (payload) => `${payload}!`);
      const question = { payload: "hello", deadlineMs: 5_000, clock: systemClock };
      expect(await request(bus.channels, "commands", question)).toBe("hello!");
      await stop();
      expect(await request(bus.channels, "commands", { ...question, deadlineMs: 50 })).toBeUndefined();
    });

    it("serves on after text that is no request and after a handler that throws", async () => {
      const stop = await serve(bus.channels, "orders", (payload) => {
        if (payload === "bad") throw new Error("a fault in the handler");
        return Promise.resolve(`${payload}!`);
      });
      for (const text of ["not json", "{}", "null", ""]) await bus.channels.publish("orders", text);
      const question = { deadlineMs: 50, clock: systemClock };
      expect(await request(bus.channels, "orders", { ...question, payload: "bad" })).toBeUndefined();
      expect(await request(bus.channels, "orders", { ...question, payload: "good", deadlineMs: 5_000 })).toBe(
        "good!",
      );
      await stop();
    });

    it("answers each of many askers with its own answer", async () => {
      const stop = await serve(bus.channels, "echo", async (payload) => payload);
      const payloads = Array.from({ length: 20 }, (_, i) => String(i));
      const answers = payloads.map((payload) =>
        request(bus.channels, "echo", { payload, deadlineMs: 5_000, clock: systemClock }),
      );
      expect(await Promise.all(answers)).toEqual(payloads);
      await stop();
    });
  });
}
