import type { RecordedFloorDecision } from "@parley/shared/contracts/floor.ts";
import { expect, test } from "vitest";
import { floorLines } from "./floor-labels.ts";

const read = (...decisions: Omit<RecordedFloorDecision, "atMs">[]): string[] =>
  floorLines(
    { turn: 1, decisions: decisions.map((made) => ({ atMs: 2_500, ...made })), dropped: 0 },
    "Caller",
  ).map(({ text }) => text);

test("what happens over an answer is told in plain words, with how many words were heard", () => {
  expect(
    read(
      { decision: "duck", reason: "voice" },
      { decision: "go_on", reason: "no_words" },
      { decision: "hold", reason: "voice" },
      { decision: "go_on", reason: "words_awaited" },
      { decision: "interrupt", reason: "words", words: 3 },
      { decision: "interrupt", reason: "typed" },
      { decision: "ignore", reason: "own_voice" },
      { decision: "take_back", reason: "words", words: 1 },
    ),
  ).toEqual([
    "Caller spoke over the agent – volume lowered (sound, not words)",
    "Agent continued: no words heard",
    "Agent paused: a clear voice went on, no words yet",
    "Agent continued: words still not recognized",
    "Interrupted: 3 words heard",
    "Interrupted: message typed",
    "Ignored: the sound was the agent’s own voice",
    "Answer canceled before it was heard: 1 word heard",
  ]);
});

test("the end of a turn is told with the silence before it, and what ended it", () => {
  expect(
    read(
      { decision: "wait", reason: "unfinished", afterMs: 1_500 },
      { decision: "end_turn", reason: "complete", afterMs: 420, words: 9 },
      { decision: "end_turn", reason: "text_stable", afterMs: 700, words: 9 },
      { decision: "end_turn", reason: "keys" },
    ),
  ).toEqual([
    "Kept listening after 1,500 ms: sentence sounded unfinished",
    "Turn ended after 420 ms: sentence sounded complete",
    "Turn ended after 700 ms: no new words, although sound went on",
    "Turn ended: keys pressed",
  ]);
});

test("a reason of a later version leaves its decision readable", () => {
  expect(read({ decision: "end_turn", reason: "other", afterMs: 90 })).toEqual(["Turn ended after 90 ms"]);
  expect(read({ decision: "go_on", reason: "other" })).toEqual(["Agent continued"]);
});
