import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { begun, ended, final, interim, play, SETTINGS, started, tick, typed } from "./turn-reducer.cases.ts";
import { INITIAL_TURN_STATE, type TurnEvent, type TurnState } from "./turn-state.ts";

const { minMs, maxMs } = SETTINGS.endpointing;
const UNSURE = "hello there";

/** How long after the caller's last voice the turn is over, by what was learned of them in `state`. */
function waitAfter(text: string, state: TurnState = INITIAL_TURN_STATE): number {
  const ticks = Array.from({ length: 200 }, (_, index) => tick(100_000 + 20 * index));
  const { effects } = play([started(99_000), ended(100_000), final(text, 100_250), ...ticks], SETTINGS, {
    ...INITIAL_TURN_STATE,
    patience: state.patience,
  });
  const [begin] = begun(effects);
  return (begin?.decidedAtMs ?? Number.NaN) - (begin?.endOfVoiceMs ?? 0);
}

/** One turn said in one breath, from `fromMs` on, answered or not. */
const breath = (text: string, fromMs: number): TurnEvent[] => [
  started(fromMs),
  ended(fromMs + 1_000),
  final(text, fromMs + 1_250),
  tick(fromMs + 1_000 + maxMs),
];
const replied = (nowMs: number): TurnEvent => ({ type: "reply_started", interruptible: true, nowMs });
const over = (nowMs: number): TurnEvent => ({ type: "reply_finished", nowMs });

describe("a pause inside a sentence", () => {
  it.each([
    "I would like to book a table for",
    "my number is",
    "so I was thinking that um",
    "five five five",
    "could you please",
    "do you have any",
    "when i was calling yesterday",
  ])("of up to two seconds does not end the turn after: %s", (text) => {
    for (const pauseMs of [1_000, 1_600, 2_000]) {
      const goesOn = 1_000 + pauseMs;
      const ticks = Array.from({ length: pauseMs / 20 }, (_, index) => tick(1_000 + 20 * index));
      const said = [started(0), interim(text, 900), ended(1_000), final(text, 1_250), ...ticks.slice(13)];
      const { names } = play([...said, started(goesOn)]);
      expect(names).not.toContain("begin_turn");
      expect(names).not.toContain("start_preemptive");
    }
  });

  it("is not waited for after a finished one", () => {
    expect(waitAfter("I would like to book a table for two people")).toBeLessThanOrEqual(minMs + 20);
    expect(waitAfter("what time do you open tomorrow")).toBeLessThan(700);
  });
});

describe("a caller's pace", () => {
  const resumed = play([
    ...[started(0), ended(1_000), final("my number is", 1_250)],
    ...[started(3_000), ended(4_000), final("five five five one two three four five six seven", 4_250)],
    tick(4_000 + maxMs),
  ]).state;

  it("is slower after a long pause that words followed", () => {
    expect(resumed.patience).toBeGreaterThan(0.3);
    expect(waitAfter(UNSURE, resumed)).toBeGreaterThan(waitAfter(UNSURE));
  });

  it("is not learned from a noise that no words followed", () => {
    const { state } = play([
      ...[started(0), ended(1_000), final("my number is", 1_250)],
      ...[started(2_800), ended(2_900), final("", 3_200), tick(2_900 + maxMs)],
    ]);
    expect(state.turn).toBe(1);
    expect(state.patience).toBe(0);
  });

  it("is learned most from a caller who goes on as the answer begins", () => {
    const answered = play([...breath("I would like to book a table", 0), replied(5_000)]).state;
    const cutOff = play(breath("for two people tomorrow", 5_600), SETTINGS, answered).state;
    expect(cutOff.patience).toBeGreaterThan(0.5);
    expect(waitAfter("I would like to book a table", cutOff)).toBeGreaterThan(minMs);
    const interrupted = play(breath("for two people tomorrow", 8_000), SETTINGS, answered).state;
    expect(interrupted.patience).toBeLessThanOrEqual(0);
  });

  it("is learned from a caller who goes on before the answer", () => {
    const thinking = play(breath("I would like to book a table", 0)).state;
    const { state } = play(
      [
        started(3_200),
        interim("for two people tomorrow", 3_600),
        ...breath("for two people tomorrow", 3_200).slice(1),
      ],
      SETTINGS,
      thinking,
    );
    expect(state.turn).toBe(1);
    expect(state.patience).toBeGreaterThan(0.3);
  });

  it("is quicker for who says much in one breath, and still waits out two seconds", () => {
    const said = Array.from({ length: 40 }, (_, turn) => [
      ...breath("could you tell me when the next train to london leaves", 10_000 * turn),
      ...[replied(10_000 * turn + 5_000), over(10_000 * turn + 6_000)],
    ]).flat();
    const { state } = play(said);
    expect(waitAfter("and", state)).toBeLessThan(maxMs);
    expect(waitAfter("and", state)).toBeGreaterThan(2_100);
  });

  it("is forgotten as the call goes on", () => {
    const short = Array.from({ length: 60 }, (_, turn) => [
      ...breath("yes", 10_000 * (turn + 1)),
      ...[replied(10_000 * turn + 15_000), over(10_000 * turn + 16_000)],
    ]).flat();
    const { state } = play(short, SETTINGS, { ...resumed, agent: { kind: "silent" } });
    expect(Math.abs(state.patience)).toBeLessThan(0.1);
  });

  it("stays between -1 and 1, and the wait between its limits, whatever happens", () => {
    const at = fc.integer({ min: 0, max: 60_000 });
    const event: fc.Arbitrary<TurnEvent> = fc.oneof(
      at.map(started),
      at.map(ended),
      at.map(tick),
      at.map(replied),
      at.map(over),
      fc
        .tuple(fc.constantFrom("", "and", "yes", UNSURE, "where are you going tomorrow morning"), at)
        .map(([text, ms]) => final(text, ms)),
      at.map((ms) => typed("hello", ms)),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { state } = play(events);
        expect(Math.abs(state.patience)).toBeLessThanOrEqual(1);
        expect(waitAfter(UNSURE, state)).toBeGreaterThanOrEqual(minMs);
        expect(waitAfter(UNSURE, state)).toBeLessThanOrEqual(maxMs);
      }),
      { numRuns: 60 },
    );
  });
});
