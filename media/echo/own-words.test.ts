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

it.each([
  ["we have - a table. Stop, please!", 4, "Stop, please!"],
  ["stop", 0, "stop"],
  ["we have", 2, ""],
])("%j after %d words is %j", (text, count, rest) => {
  expect(afterWords(text, count)).toBe(rest);
});
