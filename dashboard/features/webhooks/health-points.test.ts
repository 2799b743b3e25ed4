import type { WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { describe, expect, it } from "vitest";
import { msText, rateText } from "./health-labels.ts";
import { axisEnd, pointsOf } from "./health-points.ts";

const bucket = { delivered: 2, dead: 0, failed: 1, pending: 0, p50Ms: 40, p95Ms: 90 };
const health: WebhookHealth = {
  range: "hour",
  from: "2026-11-20T10:00:00.000Z",
  to: "2026-11-20T10:03:00.000Z",
  bucketSecs: 60,
  endpoints: [{ id: "whk_1", ...bucket, buckets: [{ at: "2026-11-20T10:01:00.000Z", ...bucket }] }],
};

describe("the points of a drawing", () => {
  it("are there for every stretch, also where nothing was raised", () => {
    expect(pointsOf(health, "whk_1").map(({ delivered, p95Ms }) => [delivered, p95Ms])).toEqual([
      [0, null],
      [2, 90],
      [0, null],
    ]);
    expect(pointsOf(health, "whk_other")).toHaveLength(3);
  });
});

describe("an axis", () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [780, 1_000],
  ])("that must hold %d ends at %d", (value, end) => {
    expect(axisEnd(value)).toBe(end);
  });
});

describe("figures in words", () => {
  it("never round a failure away", () => {
    expect([1, 0.9999, 0.987, 0, undefined].map(rateText)).toEqual(["100%", "99.9%", "98.7%", "0%", "–"]);
  });

  it("give times as one says them", () => {
    expect([84, 1_240, 30_000, null].map(msText)).toEqual(["84 ms", "1.2 s", "30 s", "–"]);
  });
});
