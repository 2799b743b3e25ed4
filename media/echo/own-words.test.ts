import { describe, expect, it } from "vitest";
import { afterWords, OwnWords } from "./own-words.ts";

const SAID = [
  "Good morning, this is the harbour restaurant.",
  "We have a table on Tuesday at half past seven.",
];

function words(): OwnWords {
  const own = new OwnWords();
  for (const [i, text] of SAID.entries()) own.spoken(text, i * 3_000);
  return own;
}

describe("a recognized text", () => {
  it.each([
    ["this is the harbour restaurant", true, 5],
    ["Restaurant. We have a table", true, 5],
    ["we have the table on tuesday at half past seven", true, 2],
    ["have able on Tuesday", true, 4],
    ["we have a table on Tuesday? No, that is too late", false, 6],
    ["stop please", false, 0],
    ["", false, 0],
  ])("%j is all of the agent's: %s, with %d words of its at the beginning", (text, isAllMine, leading) => {
    expect(words().match(text, 6_000)).toMatchObject({ isAllMine, leading });
  });

  it("is nobody's echo once the words are long gone", () => {
    expect(words().match("we have a table", 6_000).isAllMine).toBe(true);
    expect(words().match("we have a table", 60_000).isAllMine).toBe(false);
  });
});

describe("what the agent goes on with", () => {
  it("is its next words, though some were missed, and none that it has said or will say later", () => {
    const own = words();
    own.heard("we have a table", true, 5_000);
    const continues = (text: string): number => own.match(text, 5_300).continues;
    expect(continues("on Tuesday")).toBe(2);
    expect(continues("Tuesday at half")).toBe(3);
    expect(continues("Tuesday stop")).toBe(1);
    expect(continues("table")).toBe(0);
    expect(continues("seven")).toBe(0);
  });

  it("is unknown after a while, unless it was heard going on meanwhile", () => {
    const own = words();
    own.heard("we have a table", true, 5_000);
    expect(own.match("on Tuesday", 8_000).continues).toBe(0);
    own.heard("on Tuesday", false, 7_000);
    expect(own.match("on Tuesday at half", 8_000).continues).toBe(4);
  });

  it("is its clause's beginning while it begins one", () => {
    const own = words();
    expect(own.match("We", 3_700).continues).toBe(1);
    expect(own.match("seven", 3_700).continues).toBe(0);
  });

  it("is found around a listener's words", () => {
    const own = words();
    own.heard("we have a table", true, 5_000);
    expect(own.around(["uh-huh", "on", "tuesday"], 5_500)).toEqual({ before: 0, after: 2 });
    expect(own.around(["on", "uh-huh", "tuesday"], 5_500)).toEqual({ before: 1, after: 1 });
    expect(own.around(["uh-huh", "i", "see"], 5_500)).toEqual({ before: 0, after: 0 });
  });
});

it("a short word is the agent's only if it is the same, a longer one also if a letter differs", () => {
  const own = new OwnWords();
  own.spoken("Would that be a problem?", 0);
  expect(own.match("what", 1_000).matched).toBe(0);
  expect(own.match("problems", 1_000).matched).toBe(1);
});

it.each([
  ["we have - a table. Stop, please!", 4, "Stop, please!"],
  ["stop", 0, "stop"],
  ["we have", 2, ""],
])("%j after %d words is %j", (text, count, rest) => {
  expect(afterWords(text, count)).toBe(rest);
});
