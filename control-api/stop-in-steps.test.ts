import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it } from "vitest";
import { stopInSteps } from "./stop-in-steps.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const settle = () => new Promise((resolve) => setImmediate(resolve));

it("waits for no step longer than it may take, and goes on after one that fails", async () => {
  const clock = new ManualClock();
  const begun: string[] = [];
  const step = (name: string, withinMs: number, work: () => Promise<unknown>) => ({
    name,
    withinMs,
    stop: () => {
      begun.push(name);
      return work();
    },
  });
  let isOver = false;
  const stopped = stopInSteps(
    [
      step("hangs", 5_000, () => new Promise(() => undefined)),
      step("fails", 1_000, () => Promise.reject(new Error("refused"))),
      step("hangs, too", 1_200, () => new Promise(() => undefined)),
    ],
    { clock, log },
  ).then(() => {
    isOver = true;
  });
  expect(begun).toEqual(["hangs"]);
  clock.advance(4_999);
  await settle();
  expect(begun).toEqual(["hangs"]);
  clock.advance(1);
  await settle();
  expect(begun).toEqual(["hangs", "fails", "hangs, too"]);
  expect(isOver).toBe(false);
  clock.advance(1_200);
  await stopped;
});
