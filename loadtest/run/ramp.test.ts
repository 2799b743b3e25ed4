import { describe, expect, it } from "vitest";
import { ramp } from "./ramp.ts";

/** A gateway that holds up to `capacity` calls; tells what was tried. */
function gatewayFor(capacity: number, callersCapacity = Number.POSITIVE_INFINITY) {
  const tried: number[] = [];
  const hold = async (calls: number) => {
    tried.push(calls);
    return {
      calls,
      holds: calls <= Math.min(capacity, callersCapacity),
      isCallersLimit: calls > callersCapacity,
    };
  };
  return { tried, hold };
}

describe("a ramp", () => {
  it("doubles until it fails, then halves the gap", async () => {
    const { tried, hold } = gatewayFor(330);
    const { highest } = await ramp({ first: 50, max: 2_000, precision: 0.1 }, hold);
    expect(tried).toEqual([50, 100, 200, 400, 300, 350, 325]);
    expect(highest).toBe(325);
  });

  it.each([1, 49, 50, 777, 1_999, 2_000, 5_000])(
    "finds a limit of %i to within its precision",
    async (limit) => {
      const { hold } = gatewayFor(limit);
      const { highest } = await ramp({ first: 50, max: 2_000, precision: 0.1 }, hold);
      const best = Math.min(limit, 2_000);
      expect(highest).toBeLessThanOrEqual(best);
      expect(highest).toBeGreaterThanOrEqual(Math.floor(best * 0.88) - 1);
    },
  );

  it("gives nothing when nothing holds", async () => {
    const { hold } = gatewayFor(0);
    expect(await ramp({ first: 50, max: 100, precision: 0.1 }, hold)).toMatchObject({ highest: 0 });
  });

  it("says when the callers were the limit", async () => {
    const { hold } = gatewayFor(10_000, 120);
    const found = await ramp({ first: 50, max: 2_000, precision: 0.1 }, hold);
    expect(found.isCallersLimit).toBe(true);
    expect(found.highest).toBeLessThanOrEqual(120);
  });
});
