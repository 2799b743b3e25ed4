import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { REMEMBER_TIMED_MS, takeOnce } from "./callback-guard.ts";
import type { CarrierAnswer, SignedWord } from "./carrier.ts";

const said = { events: [], once: "nonce-1", rememberMs: REMEMBER_TIMED_MS };
let clock: ManualClock;
let keys: ReturnType<typeof createMemoryBus>["keys"];
beforeEach(() => {
  clock = new ManualClock();
  ({ keys } = createMemoryBus({ clock }));
});

const DONE = { contentType: "text/xml", body: "<Response/>" };

function take(more: Partial<SignedWord> = {}, work = async () => DONE): Promise<CarrierAnswer> {
  return takeOnce({ ...said, ...more }, { connectionId: "con_1", keys, clock }, work);
}

describe("a callback", () => {
  it("is taken once, as long as it would pass for genuine, and then forgotten", async () => {
    expect(await take()).toBe(DONE);
    clock.advance(REMEMBER_TIMED_MS - 1);
    await expect(take()).rejects.toMatchObject({ code: "unauthorized" });
    clock.advance(2);
    expect(await keys.list("")).toEqual(new Map());
  });

  it("of another nonce or another account is another", async () => {
    await take();
    expect(await take({ once: "nonce-2" })).toBe(DONE);
    const elsewhere = takeOnce(said, { connectionId: "con_2", keys, clock }, async () => DONE);
    expect(await elsewhere).toBe(DONE);
  });

  it("that could not be dealt with may come again", async () => {
    const away = new Error("the database is away");
    await expect(take({}, () => Promise.reject(away))).rejects.toBe(away);
    expect(await take()).toBe(DONE);
  });

  it("of any length takes up as little", async () => {
    await take({ once: "x".repeat(100_000) });
    const [key = ""] = (await keys.list("callback:")).keys();
    expect(key).toHaveLength("callback:con_1:".length + 64);
  });
});

describe("a callback that its carrier repeats as it is", () => {
  const isRepeated = true;
  const answer = { contentType: "text/xml", body: "<Response><Connect/></Response>" };
  const never = async (): Promise<CarrierAnswer> => {
    throw new Error("it was done twice");
  };

  it("gets the same answer for 15 seconds, and nothing is done for it; then it is refused", async () => {
    await take({ isRepeated }, async () => answer);
    expect(await take({ isRepeated }, never)).toEqual(answer);
    clock.advance(14_999);
    expect(await take({ isRepeated }, never)).toEqual(answer);
    clock.advance(1);
    await expect(take({ isRepeated }, never)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("while the first is in work waits for its answer, twelve seconds at most: a join takes eleven", async () => {
    const { promise, resolve } = Promise.withResolvers<CarrierAnswer>();
    const first = take({ isRepeated }, () => promise);
    const refusal = vi.fn();
    const refused = take({ isRepeated }, never).catch(refusal);
    await pass(11_000);
    expect(refusal).not.toHaveBeenCalled();
    await pass(1_100);
    await refused;
    expect(refusal).toHaveBeenCalledWith(expect.objectContaining({ code: "unauthorized" }));
    const again = take({ isRepeated }, never);
    await settled();
    resolve(answer);
    expect(await first).toEqual(answer);
    clock.advance(100);
    expect(await again).toEqual(answer);
  });

  it("is dealt with when the first could not be", async () => {
    const { promise, reject } = Promise.withResolvers<CarrierAnswer>();
    const first = take({ isRepeated }, () => promise);
    const again = take({ isRepeated }, async () => answer);
    await settled();
    reject(new Error("the database is away"));
    await expect(first).rejects.toThrow("away");
    clock.advance(100);
    expect(await again).toEqual(answer);
  });
});

/** Time goes by in the steps in which one looks. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await settled();
    clock.advance(100);
  }
  await settled();
}

/** What was begun goes as far as it can without the clock. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
