import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { PrincipalCache } from "./principal-cache.ts";

function counting() {
  const clock = new ManualClock();
  const cache = new PrincipalCache<{ id: string }>(clock);
  let lookups = 0;
  const get = (id: string) =>
    cache.get(id, async () => {
      lookups += 1;
      return { id };
    });
  return { clock, cache, get, lookups: () => lookups };
}

describe("what a node remembers of a credential", () => {
  it("is asked for again after a second: an end that the bus did not tell counts then", async () => {
    const { clock, get, lookups } = counting();
    await get("a");
    clock.advance(999);
    await get("a");
    expect(lookups()).toBe(1);
    clock.advance(1);
    await get("a");
    expect(lookups()).toBe(2);
  });

  it("is forgotten at once when it is told to, and nothing else is", async () => {
    const { cache, get, lookups } = counting();
    await get("a");
    await get("b");
    cache.forget(({ id }) => id === "a");
    await get("a");
    await get("b");
    expect(lookups()).toBe(3);
  });

  it("is not kept when something was forgotten while it was looked up", async () => {
    const { cache, get, lookups } = counting();
    const looking = cache.get("a", async () => {
      await Promise.resolve();
      return { id: "a" };
    });
    cache.forget(() => true);
    await looking;
    await get("a");
    expect(lookups()).toBe(1);
  });

  it("is bounded: the oldest of ten thousand goes first", async () => {
    const { get, lookups } = counting();
    for (let i = 0; i <= 10_000; i++) await get(String(i));
    await get("10000");
    expect(lookups()).toBe(10_001);
    await get("0");
    expect(lookups()).toBe(10_002);
  });
});
