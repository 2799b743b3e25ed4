import { turnTakingSchema } from "@parley/shared/contracts/call-plan.ts";
import { expect, it } from "vitest";
import { decisionsOf } from "./floor-decision.ts";
import { reduceTurn } from "./turn-reducer.ts";
import { INITIAL_TURN_STATE, type TurnEvent } from "./turn-state.ts";

/** What is decided in a call in which this happens, as `decision: reason`. */
function decidedIn(events: readonly TurnEvent[]): string[] {
  const settings = {
    ...turnTakingSchema.parse({}),
    ...{
      recognises: true,
      hasInterims: true,
      waitingAfterMs: 0,
      waitingAgainAfterMs: 0,
      judgesWithinMs: 0,
      language: "en",
    },
  };
  let state = INITIAL_TURN_STATE;
  return events.flatMap((event) => {
    const step = reduceTurn(state, event, settings);
    const decisions = decisionsOf(state, event, step);
    state = step[0];
    return decisions.map(({ decision, reason }) => `${decision}: ${reason}`);
  });
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
