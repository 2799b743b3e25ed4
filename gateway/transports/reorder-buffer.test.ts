import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReorderBuffer } from "./reorder-buffer.ts";

/** What is played of chunks that come in this order, 20 ms apart. */
function played(chunks: readonly number[], everyMs = 20): number[] {
  const buffer = new ReorderBuffer();
  return chunks.flatMap((chunk, at) =>
    buffer.push(chunk, Uint8Array.of(chunk), at * everyMs).map(([first]) => first ?? -1),
  );
}

describe("numbered audio", () => {
  it.each([
    ["in order, at once", [1, 2, 3], [1, 2, 3]],
    ["in order again when two were swapped", [1, 3, 2, 4], [1, 2, 3, 4]],
    ["in order again when three came backwards", [1, 4, 3, 2, 5], [1, 2, 3, 4, 5]],
    ["once when it came twice", [1, 2, 2, 1, 3, 3], [1, 2, 3]],
    ["without what was lost, after a short wait", [1, 3, 4, 5, 6, 7, 8], [1, 3, 4, 5, 6, 7, 8]],
    ["without what came too late", [1, 3, 4, 5, 6, 7, 2, 8], [1, 3, 4, 5, 6, 7, 8]],
  ])("is played %s", (_what, chunks, expected) => {
    expect(played(chunks)).toEqual(expected);
  });

  it("is not held back for long by a gap when little comes", () => {
    expect(played([1, 3, 4], 130)).toEqual([1, 3, 4]);
  });

  it("goes on when the count begins again", () => {
    const again = Array.from({ length: 20 }, (_, index) => index);
    expect(played([200, 201, ...again]).slice(2)).toEqual(again.slice(10));
  });

  it("is never played backwards or twice, whatever comes, and little of it is held", () => {
    const chunks = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(chunks, (order) => {
        const buffer = new ReorderBuffer();
        let pushed = 0;
        let given = 0;
        for (const chunk of order) {
          const ready = buffer.push(chunk, Uint8Array.of(chunk), 0).map(([first]) => first ?? -1);
          expect(ready).toEqual([...new Set(ready)].sort((a, b) => a - b));
          pushed += 1;
          given += ready.length;
        }
        expect(given).toBeLessThanOrEqual(pushed);
      }),
      { numRuns: 500 },
    );
  });
});
