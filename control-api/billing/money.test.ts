import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountOf, centsOf, parseDecimal, shareOf, toDecimal, toWholeCents } from "./money.ts";

/** A float, a decimal point that is cut or rounded, or an amount that is divided. */
const INEXACT =
  /parseFloat|toFixed|Math\.(?:round|ceil|trunc)|Number\((?:micros|amount|cents)|(?:micros|amount|cents)\w* \/ |\/ \w+n\b/i;

describe("money", () => {
  it.each([
    [61n, { micros: 10_000n, per: 60n }, 10_167n],
    [1n, { micros: 15n, per: 10n }, 2n],
    [1n, { micros: 25n, per: 10n }, 2n],
    [3n, { micros: 25n, per: 10n }, 8n],
    [0n, { micros: 25n, per: 10n }, 0n],
  ])("%s units at %o cost %s millionths: half goes to even", (quantity, price, micros) => {
    expect(amountOf(quantity, price)).toBe(micros);
  });

  it("is written with two decimals at least and six at most, and read back as it was", () => {
    expect([0n, 5n, 1_500_000n, 129_500_000n, -1_234_560n].map(toDecimal)).toEqual([
      "0.00",
      "0.000005",
      "1.50",
      "129.50",
      "-1.23456",
    ]);
    fc.assert(fc.property(fc.bigInt(0n, 10n ** 17n), (micros) => parseDecimal(toDecimal(micros)) === micros));
    expect(["", "-1", "1.", "1e3", "1.2345678", "NaN"].map(parseDecimal)).toEqual(Array(6).fill(undefined));
  });

  it("is rounded to cents where people pay, and refuses to be cut", () => {
    expect(toWholeCents(1_005_000n)).toBe(1_000_000n);
    expect(toWholeCents(1_015_000n)).toBe(1_020_000n);
    expect(centsOf(1_020_000n)).toBe(102n);
    expect(() => centsOf(1_005_000n)).toThrow(RangeError);
    expect(shareOf(10_000_000n, 190_000n)).toBe(1_900_000n);
  });

  it("is never off by more than half a millionth, whatever the quantity", () => {
    const quantity = fc.bigInt(0n, 10n ** 9n);
    const price = fc.record({ micros: fc.bigInt(0n, 10n ** 9n), per: fc.bigInt(1n, 10n ** 6n) });
    fc.assert(
      fc.property(quantity, price, (units, { micros, per }) => {
        const off = amountOf(units, { micros, per }) * per - units * micros;
        return 2n * (off < 0n ? -off : off) <= per;
      }),
    );
  });

  it("is divided and rounded in one file, and is a float nowhere", () => {
    const sources = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
      (path) => !path.endsWith(".test.ts") && path !== "money.ts",
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(
      sources.filter((path) => INEXACT.test(readFileSync(join(import.meta.dirname, path), "utf8"))),
    ).toEqual([]);
    expect(readFileSync(join(import.meta.dirname, "money.ts"), "utf8")).toMatch(INEXACT);
  });
});
