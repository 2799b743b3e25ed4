import { turnTakingSchema } from "@parley/shared/contracts/call-plan.ts";
import { describe, expect, it } from "vitest";
import { decisionsOf, type FloorDecision } from "./floor-decision.ts";
import { reduceTurn } from "./turn-reducer.ts";
import { INITIAL_TURN_STATE, type TurnEvent, type TurnSettings } from "./turn-state.ts";

/** What is decided in a call in which this happens. */
function madeIn(events: readonly TurnEvent[], more: Partial<TurnSettings> = {}): FloorDecision[] {
  const settings = {
    ...turnTakingSchema.parse({}),
    ...{
      recognizes: true,
      hasInterims: true,
      waitingAfterMs: 0,
      waitingAgainAfterMs: 0,
      judgesWithinMs: 0,
      language: "en",
    },
    ...more,
  };
  let state = INITIAL_TURN_STATE;
  return events.flatMap((event) => {
    const [after, effects] = reduceTurn(state, event, settings);
    const decisions = decisionsOf({ before: state, event, after, effects, settings });
    state = after;
    return decisions;
  });
}

/** As `decision: reason`. */
function decidedIn(events: readonly TurnEvent[]): string[] {
  return madeIn(events).map(({ decision, reason }) => `${decision}: ${reason}`);
}

const typed: TurnEvent = { type: "typed", text: "hello", source: "text", nowMs: 0 };
const answered: TurnEvent = { type: "reply_started", interruptible: true, nowMs: 500 };
const voice: TurnEvent[] = [
  { type: "voice_started", atMs: 1_000, nowMs: 1_000 },
  { type: "voice_runs", voiceMs: 300, clearMs: 300, nowMs: 1_300 },
];
const ended: TurnEvent = { type: "voice_ended", atMs: 1_400, nowMs: 1_600 };

it.each<readonly [string, readonly TurnEvent[], readonly string[]]>([
  [
    "a cough",
    [...voice, ended, { type: "final", text: "", fromFinalize: true, nowMs: 1_700 }],
    ["duck: voice", "go_on: no_words"],
  ],
  [
    "its own voice",
    [...voice, ended, { type: "final", text: "", own: "own_voice", fromFinalize: true, nowMs: 1_700 }],
    ["duck: voice", "ignore: own_voice", "go_on: own_voice"],
  ],
  [
    "words",
    [...voice, { type: "interim", text: "stop please", nowMs: 1_500 }],
    ["duck: voice", "interrupt: words"],
  ],
  [
    "a voice that lasts",
    [...voice, { type: "voice_runs", voiceMs: 1_300, clearMs: 1_300, nowMs: 2_300 }],
    ["duck: voice", "hold: voice"],
  ],
  ["what is typed", [{ ...typed, nowMs: 2_000 }], ["interrupt: typed", "end_turn: typed"]],
])("over an answer %s is decided with its reason", (_, events, decisions) => {
  expect(decidedIn([typed, answered, ...events])).toEqual(["end_turn: typed", ...decisions]);
});

describe("what is decided", () => {
  /** A voice of a second, and its words 200 ms after it. */
  const spoken = (fromMs: number, text: string): TurnEvent[] => [
    { type: "voice_started", atMs: fromMs, nowMs: fromMs },
    { type: "voice_ended", atMs: fromMs + 1_000, nowMs: fromMs + 1_200 },
    { type: "final", text, fromFinalize: true, nowMs: fromMs + 1_200 },
  ];
  const ticks = (fromMs: number, toMs: number): TurnEvent[] => {
    const count = Math.ceil((toMs - fromMs) / 20);
    return Array.from({ length: count }, (_, at) => ({ type: "tick", nowMs: fromMs + at * 20 }));
  };
  const WHOLE = "I would like to book a table for two people";
  const HALF = "I would like to book a table for";

  it("of a caller's turn is why it ended, after how long a silence and how many words", () => {
    expect(madeIn([...spoken(0, WHOLE), ...ticks(1_220, 4_000)])).toEqual([
      { turn: 1, decision: "end_turn", reason: "complete", afterMs: 360, words: 10 },
    ]);
    expect(madeIn([...spoken(0, HALF), ...ticks(1_220, 4_000)])).toEqual([
      { turn: 1, decision: "end_turn", reason: "unfinished", afterMs: 2_500, words: 8 },
    ]);
  });

  it("of a pause is that it was waited through, and why; of a short one nothing", () => {
    const more = spoken(2_500, "two people");
    expect(madeIn([...spoken(0, HALF), ...ticks(1_220, 2_500), ...more, ...ticks(3_720, 4_000)])).toEqual([
      { turn: 1, decision: "wait", reason: "unfinished", afterMs: 1_500 },
      { turn: 1, decision: "end_turn", reason: "complete", afterMs: 360, words: 10 },
    ]);
    expect(madeIn([...spoken(0, HALF), ...spoken(1_300, "two people")])).toEqual([]);
  });

  it("by the operator's model, or as the brain has asked, says so", () => {
    const judged: TurnEvent = { type: "judged", text: HALF, finished: 0.97, nowMs: 1_250 };
    const byModel = madeIn([...spoken(0, HALF), judged, ...ticks(1_260, 4_000)], { judgesWithinMs: 150 });
    expect(byModel).toMatchObject([{ decision: "end_turn", reason: "model_complete" }]);
    const asked: TurnEvent = { type: "overrides", overrides: { endpointingMs: 800 } };
    expect(madeIn([asked, ...spoken(0, HALF), ...ticks(1_220, 4_000)])).toMatchObject([
      { decision: "end_turn", reason: "as_asked", afterMs: 800 },
    ]);
  });

  it("over an answer belongs to the answer's turn, with how many words were heard", () => {
    const over = madeIn([typed, answered, ...voice, { type: "interim", text: "stop please", nowMs: 1_500 }]);
    expect(over.slice(1)).toEqual([
      { turn: 1, decision: "duck", reason: "voice" },
      { turn: 1, decision: "interrupt", reason: "words", words: 2 },
    ]);
  });

  it("while the brain thinks takes the question back, and asks it again in the same turn", () => {
    const goesOn: TurnEvent[] = [
      { type: "voice_started", atMs: 1_600, nowMs: 1_600 },
      { type: "interim", text: "at eight", nowMs: 2_000 },
      { type: "voice_ended", atMs: 2_100, nowMs: 2_300 },
      { type: "final", text: "at eight", fromFinalize: true, nowMs: 2_300 },
    ];
    const made = madeIn([...spoken(0, WHOLE), ...ticks(1_220, 1_500), ...goesOn, ...ticks(2_320, 5_000)]);
    expect(made).toMatchObject([
      { turn: 1, decision: "end_turn", words: 10 },
      { turn: 1, decision: "take_back", reason: "words", words: 2 },
      { turn: 1, decision: "end_turn", words: 12 },
    ]);
  });
});
