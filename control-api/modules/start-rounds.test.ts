import { Writable } from "node:stream";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it, onTestFinished } from "vitest";
import type { Round } from "./module.ts";
import { startRounds } from "./start-rounds.ts";

const EVERY_MS = 1_000;

function start(run: Round["run"]) {
  const clock = new ManualClock();
  const logged: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: "debug", format: "json", name: "test", destination });
  const stop = startRounds([{ name: "tidy up", everyMs: EVERY_MS, run }], { clock, log });
  onTestFinished(stop);
  return { clock, logged, stop };
}

it("a round that takes longer than the time between two makes the next one later", async () => {
  const rounds: PromiseWithResolvers<void>[] = [];
  const { clock } = start(() => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    return round.promise;
  });
  clock.advance(2 * EVERY_MS);
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve();
  await expect
    .poll(() => {
      clock.advance(EVERY_MS);
      return rounds.length;
    })
    .toBe(2);
});

it("a round that fails is logged with the name, and tried again", async () => {
  let rounds = 0;
  const { clock, logged } = start(async () => {
    rounds += 1;
    throw new Error("the table is locked");
  });
  clock.advance(EVERY_MS);
  await expect.poll(() => logged.join("")).toContain('"round":"tidy up"');
  expect(logged.join("")).toContain("the table is locked");
  clock.advance(EVERY_MS);
  expect(rounds).toBe(2);
});

it("what stops the rounds aborts the round that is at work, and no other begins", () => {
  const signals: AbortSignal[] = [];
  const { clock, stop } = start((signal) => {
    signals.push(signal);
    return Promise.resolve();
  });
  clock.advance(EVERY_MS);
  stop();
  clock.advance(10 * EVERY_MS);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
