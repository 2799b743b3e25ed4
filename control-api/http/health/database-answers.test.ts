import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { databaseAnswers } from "./database-answers.ts";

const WITHIN_MS = 2_000;

describe("whether the database answers", () => {
  it.each([
    [true, async () => undefined],
    [false, () => Promise.reject(new Error("away"))],
  ])("is %s", async (expected, ping) => {
    expect(await databaseAnswers({ database: { ping }, clock: new ManualClock() }, WITHIN_MS)).toBe(expected);
  });

  it("is known in time of one that says nothing at all", async () => {
    const clock = new ManualClock();
    const asked = databaseAnswers(
      { database: { ping: () => new Promise(() => undefined) }, clock },
      WITHIN_MS,
    );
    await clock.advance(WITHIN_MS);
    expect(await asked).toBe(false);
  });
});
