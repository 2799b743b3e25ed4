import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it } from "vitest";
import { drain } from "./drain.ts";

function draining(calls: number) {
  const clock = new ManualClock();
  const lines: unknown[] = [];
  const write = (fields: unknown, msg?: unknown): void => {
    lines.push([msg, fields]);
  };
  let wake: () => void = () => undefined;
  let asked = 0;
  const registry = {
    size: calls,
    whenIdle: () =>
      new Promise<void>((resolve) => {
        if (registry.size === 0) resolve();
        wake = resolve;
      }),
    finishSentences: () => {
      asked += 1;
    },
  };
  const done = drain({ registry, clock, log: { info: write, warn: write }, timeoutMs: 300_000 });
  const allEnd = (): void => {
    registry.size = 0;
    wake();
  };
  return { clock, done, lines, allEnd, asked: () => asked };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it("cuts nobody when the calls end by themselves", async () => {
  const { done, lines, allEnd, asked } = draining(2);
  allEnd();
  await done;
  expect(asked()).toBe(0);
  expect(lines.at(-1)).toEqual(["drained", { event: "drained", cut: 0 }]);
});

it("lets those that are left finish a sentence, for a while, and says how many it cut", async () => {
  const { clock, done, lines, asked } = draining(3);
  clock.advance(300_000);
  await settle();
  expect(asked()).toBe(1);
  clock.advance(5_000);
  await done;
  expect(lines.at(-1)).toEqual(["drained", { event: "drained", cut: 3 }]);
});
