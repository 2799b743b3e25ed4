import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TestJudge } from "../../testkit/judge.ts";
import { HttpEndOfTurnModel } from "./end-of-turn-model.ts";
import type { EndOfTurnOutcome } from "./within-time.ts";

const TOLD = { text: "my number is", language: "en" };
const SAID = { ...TOLD, history: [], sound: () => new Int16Array(0) };

let judge: TestJudge;
let clock: ManualClock;
let model: HttpEndOfTurnModel;
let outcomes: EndOfTurnOutcome[];

beforeEach(async () => {
  judge = await TestJudge.start(0.04);
  clock = new ManualClock();
  outcomes = [];
  const onAsked = (outcome: EndOfTurnOutcome): unknown => outcomes.push(outcome);
  model = new HttpEndOfTurnModel({ url: judge.url, withinMs: 150, clock, onAsked });
});
afterEach(async () => {
  await model.close();
  await judge.close();
});

describe("an end-of-turn model behind HTTP", () => {
  it("is told what was said and answers how finished it is", async () => {
    expect(await model.ask(SAID)).toBe(0.04);
    expect(judge.asked).toEqual([TOLD]);
    expect(outcomes).toEqual(["answered"]);
  });

  it("is told what was said before, where anything was", async () => {
    const history = [
      { role: "assistant", text: "What is your number?" },
      { role: "user", text: "It is new." },
    ] as const;
    await model.ask({ ...SAID, history });
    expect(judge.asked).toEqual([{ ...TOLD, history }]);
  });

  it.each([
    { status: 500 },
    { body: { finished: 2 } },
    { body: { finished: "yes" } },
    { body: [] },
    { body: { finished: 1, pad: "x".repeat(100_000) } },
  ])("has no say when it answers %o", async (answer) => {
    judge.answer = answer;
    expect(await model.ask(SAID)).toBeUndefined();
    expect(outcomes).toEqual(["failed"]);
  });

  it("has no say after its time", async () => {
    judge.answer = "never";
    const asked = model.ask(SAID);
    await vi.waitFor(() => expect(judge.asked).toHaveLength(1), 90_000);
    clock.advance(150);
    expect(await asked).toBeUndefined();
    expect(outcomes).toEqual(["timeout"]);
  });

  it("is left alone after five failures in a row, then probed once, and asked again when it is back", async () => {
    judge.answer = { status: 503 };
    for (let turn = 0; turn < 8; turn++) await model.ask(SAID);
    expect(judge.asked).toHaveLength(5);
    clock.advance(10_000);
    await Promise.all([model.ask(SAID), model.ask(SAID)]);
    expect(judge.asked).toHaveLength(6);
    judge.answer = { body: { finished: 1 } };
    clock.advance(10_000);
    expect(await model.ask(SAID)).toBe(1);
    expect(await model.ask(SAID)).toBe(1);
  });
});
