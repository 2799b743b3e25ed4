import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { request } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { type CallCommand, commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { LOST_CALL_KEPT_MS, liveCallKey, lostCallKey } from "@parley/shared/contracts/call-plan.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it, onTestFinished } from "vitest";
import { Renewals } from "../nodes/renewals.ts";
import { joinBus } from "./join-bus.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const PLAN = { sessionId: "ses_1", maxDurationMs: 60_000 };

/** A bus that can be away, and a call that has just joined it. */
function joining(isAway: boolean) {
  const real = createMemoryBus({ clock: systemClock });
  onTestFinished(() => real.close());
  const link = { isAway };
  const whileThere = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (link.isAway) throw new Error("away");
      return work(...args);
    };
  };
  const { channels, keys } = real;
  const bus: Bus = {
    ...real,
    channels: Object.assign(Object.create(channels), {
      subscribe: whileThere(channels.subscribe.bind(channels)),
    }),
    keys: Object.assign(Object.create(keys), {
      set: whileThere(keys.set.bind(keys)),
      get: whileThere(keys.get.bind(keys)),
      delete: whileThere(keys.delete.bind(keys)),
    }),
  };
  const clock = new ManualClock();
  const seen = { endedWith: undefined as string | undefined, learned: 0 };
  const call = {
    isOver: false,
    end: (reason: string) => {
      seen.endedWith = reason;
    },
    execute: () => ({ ok: true }) as const,
  };
  const frames = {
    watch: () => undefined,
    learnOfWatchers: async () => {
      await bus.keys.get("anything");
      seen.learned += 1;
    },
  };
  const renewals = new Renewals();
  const leave = joinBus({ bus, nodeId: "node_1", clock, renewals }, { plan: PLAN, call, frames, log });
  const hangUp = () =>
    request(channels, commandChannel(PLAN.sessionId), {
      payload: JSON.stringify({ command: "end", reason: "api_end" } satisfies CallCommand),
      deadlineMs: 20,
      clock: systemClock,
    });
  return { real, link, clock, renewals, seen, leave, hangUp };
}

it("a call that began while the bus was away is found, watched and ended once it is back", async () => {
  const { real, link, clock, seen, hangUp } = joining(true);
  await expect.poll(() => hangUp()).toBeUndefined();
  link.isAway = false;
  clock.advance(1_000);
  await expect.poll(() => seen.learned).toBe(1);
  expect(await real.keys.get(liveCallKey(PLAN.sessionId))).toBe("node_1");
  await hangUp();
  expect(seen.endedWith).toBe("api_end");
});

it("a call that ended meanwhile joins no more", async () => {
  const { real, link, clock, leave, hangUp } = joining(true);
  await hangUp();
  leave();
  link.isAway = false;
  clock.advance(5_000);
  expect(await hangUp()).toBeUndefined();
  expect(await real.keys.get(liveCallKey(PLAN.sessionId))).toBeUndefined();
});

it("a call that ends leaves nothing behind", async () => {
  const { real, seen, leave, hangUp } = joining(false);
  await expect.poll(() => seen.learned).toBe(1);
  leave();
  await expect.poll(() => real.keys.get(liveCallKey(PLAN.sessionId))).toBeUndefined();
  expect(await hangUp()).toBeUndefined();
  expect(real.channels.hasNoSubscriber(commandChannel(PLAN.sessionId))).toBe(true);
});

it("a call that ends while the bus is away leaves nothing behind either, once the bus is back", async () => {
  const { real, link, clock, seen, leave } = joining(false);
  await expect.poll(() => seen.learned).toBe(1);
  link.isAway = true;
  leave();
  link.isAway = false;
  const holder = async () => {
    clock.advance(1_000);
    return real.keys.get(liveCallKey(PLAN.sessionId));
  };
  await expect.poll(holder).toBeUndefined();
});

it("a call that goes on is told again to a bus that has lost it, and one that ended is not", async () => {
  const { real, renewals, leave, seen } = joining(false);
  const holder = () => real.keys.get(liveCallKey(PLAN.sessionId));
  await expect.poll(() => seen.learned).toBe(1);
  await real.keys.delete(liveCallKey(PLAN.sessionId));
  renewals.writeAll();
  await expect.poll(holder).toBe("node_1");
  leave();
  await expect.poll(holder).toBeUndefined();
  renewals.writeAll();
  expect(await holder()).toBeUndefined();
});

it("a call whose record ended while its node was away ends when the node is back, and is not told again", async () => {
  const { real, renewals, seen } = joining(false);
  await expect.poll(() => seen.learned).toBe(1);
  // As the sweeper does.
  await real.keys.set(lostCallKey(PLAN.sessionId), "node_lost", LOST_CALL_KEPT_MS);
  await real.keys.delete(liveCallKey(PLAN.sessionId));
  renewals.writeAll();
  await expect.poll(() => seen.endedWith).toBe("node_lost");
  expect(await real.keys.get(liveCallKey(PLAN.sessionId))).toBeUndefined();
});
