import { AppError } from "@parley/shared/errors.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it } from "vitest";
import { whileAllowed } from "./while-allowed.ts";

async function* numbers(clock: ManualClock): AsyncGenerator<number> {
  for (let nr = 1; ; nr++) {
    clock.advance(10_000);
    yield nr;
  }
}

it("a download ends soon after the right to it, and not because nobody could look", async () => {
  const clock = new ManualClock();
  const answers = [
    async () => undefined,
    () => Promise.reject(new Error("the database is away")),
    () => Promise.reject(new AppError("forbidden", "You are not a member.")),
  ];
  const read: number[] = [];
  const reading = async () => {
    const recheck = () => answers.shift()?.() ?? Promise.resolve();
    for await (const nr of whileAllowed(numbers(clock), recheck, clock)) read.push(nr);
  };
  await expect(reading()).rejects.toThrow("not a member");
  expect(read).toEqual([1, 2, 3, 4, 5]);
});
