import { turnTakingSchema } from "@parley/shared/contracts/call-plan.ts";
import { describe, expect, it } from "vitest";
import { reduceTurn } from "./turn-reducer.ts";
import { INITIAL_TURN_STATE, type TurnEvent, type TurnSettings } from "./turn-state.ts";

const SETTINGS: TurnSettings = {
  ...turnTakingSchema.parse({}),
  recognizes: true,
  hasInterims: true,
  language: "en",
  judgesWithinMs: 0,
  waitingAfterMs: 2_000,
  waitingAgainAfterMs: 0,
};

/** Every effect that concerns the waiting line, with the time of the event that caused it. */
function waits(events: readonly TurnEvent[], settings = SETTINGS) {
  let state = INITIAL_TURN_STATE;
  return events.flatMap((event) => {
    const [next, effects] = reduceTurn(state, event, settings);
    state = next;
    const atMs = "nowMs" in event ? event.nowMs : undefined;
    return effects.flatMap((effect) =>
      effect.type === "say_waiting" || effect.type === "drop_waiting" ? [{ ...effect, atMs }] : [],
    );
  });
}

const tick = (nowMs: number): TurnEvent => ({ type: "tick", nowMs });
const ticks = (fromMs: number, toMs: number): TurnEvent[] =>
  Array.from({ length: (toMs - fromMs) / 20 + 1 }, (_, i) => tick(fromMs + i * 20));
const started = (atMs: number): TurnEvent => ({ type: "voice_started", atMs, nowMs: atMs });
const ended = (atMs: number): TurnEvent => ({ type: "voice_ended", atMs, nowMs: atMs + 200 });
const runs = (voiceMs: number, nowMs: number): TurnEvent => ({
  type: "voice_runs",
  voiceMs,
  clearMs: voiceMs,
  nowMs,
});
const interim = (text: string, nowMs: number): TurnEvent => ({ type: "interim", text, nowMs });
const final = (text: string, nowMs: number): TurnEvent => ({
  type: "final",
  text,
  fromFinalize: true,
  nowMs,
});
const ASKED: TurnEvent[] = [started(0), ended(1_000), final("Book a table.", 1_200), tick(1_360)];

describe("an answer that is long in coming", () => {
  it("is announced once, counted from the end of the caller's voice", () => {
    expect(waits([...ASKED, ...ticks(1_380, 9_000)])).toEqual([
      { type: "say_waiting", turn: 1, atMs: 3_000 },
    ]);
  });

  it("is not announced while its first words wait for their voice, unless that takes too long", () => {
    const coming = ticks(2_900, 3_900).map((event) => ({ ...event, isAnswerComing: true }));
    expect(waits([...ASKED, ...ticks(1_380, 2_880), ...coming])).toEqual([]);
    expect(waits([...ASKED, ...ticks(1_380, 2_880), ...coming, ...ticks(3_920, 9_000)])).toEqual([
      { type: "say_waiting", turn: 1, atMs: 3_920 },
    ]);
  });

  it("is announced again from time to time, and no more once it has begun", () => {
    const begun: TurnEvent = { type: "reply_started", interruptible: true, nowMs: 1_370 };
    const patient = { ...SETTINGS, waitingAgainAfterMs: 5_000 };
    const said = waits([...ASKED, ...ticks(1_380, 14_000), begun, ...ticks(14_020, 30_000)], patient);
    expect(said.map(({ atMs }) => atMs)).toEqual([3_000, 8_000, 13_000]);
  });

  it("is not announced a second time when the caller adds to what they asked", () => {
    const added = [started(4_000), interim("for two people", 4_500), ended(5_000)];
    const all = [...ASKED, ...ticks(1_380, 3_900), ...added, final("for two people.", 5_200)];
    expect(waits([...all, ...ticks(5_220, 12_000)])).toHaveLength(1);
  });

  it("is not announced at once when the end of the turn itself was waited for", () => {
    const open = [started(0), ended(1_000), final("I would like to", 1_250), ...ticks(1_260, 8_000)];
    const [line] = waits(open);
    const { maxMs } = SETTINGS.endpointing;
    expect(line?.atMs).toBeGreaterThanOrEqual(1_000 + maxMs + 1_000);
    expect(line?.atMs).toBeLessThan(1_000 + maxMs + 1_100);
  });

  it("is not announced when it has begun, nor while the caller talks", () => {
    const begun: TurnEvent = { type: "reply_started", interruptible: true, nowMs: 1_370 };
    expect(waits([...ASKED, begun, ...ticks(1_380, 9_000)])).toEqual([]);
    const talking = [started(2_500), runs(400, 2_900), tick(3_200), tick(3_400)];
    expect(waits([...ASKED, ...talking])).toEqual([]);
  });

  it("is not announced where the agent's owner does not want that", () => {
    expect(waits([...ASKED, ...ticks(1_380, 9_000)], { ...SETTINGS, waitingAfterMs: 0 })).toEqual([]);
  });
});

describe("words that the recognizer owes", () => {
  it("are waited for aloud after a voice, and their answer is not announced again", () => {
    const late = [final("Book a table.", 3_500), ...ticks(3_520, 9_000)];
    expect(waits([started(0), ended(1_000), ...ticks(1_200, 3_480), ...late])).toEqual([
      { type: "say_waiting", turn: 1, atMs: 3_000 },
    ]);
  });

  it("are not waited for aloud after a cough", () => {
    expect(waits([started(0), ended(400), ...ticks(600, 4_400)])).toEqual([]);
  });

  it("are announced no longer when the caller goes on", () => {
    const goesOn = [started(3_100), runs(200, 3_300), interim("for two", 3_400)];
    const heard = waits([started(0), ended(1_000), ...ticks(1_200, 3_080), ...goesOn]);
    expect(heard).toContainEqual({ type: "drop_waiting", atMs: 3_400 });
  });
});
