import { describe, expect, it } from "vitest";
import { msToSamples } from "../pcm.ts";
import { Alignment } from "./alignment.ts";

/** What is told of a text whose chunks of 500 ms came with these alignments. */
function read(text: string, ...alignments: readonly unknown[]): { said: string[]; problems: string[] } {
  const said: string[] = [];
  const problems: string[] = [];
  const alignment = new Alignment(text, {
    said: ({ endChar, endSample }) => said.push(`${text.slice(0, endChar)} ${endSample / 16}`),
    unusable: (why) => problems.push(why),
  });
  for (const [i, told] of alignments.entries()) {
    alignment.push(told, { fromSample: msToSamples(500 * i), samples: msToSamples(500) });
  }
  return { said, problems };
}

const times = (chars: string, startsMs: readonly number[], durationsMs: readonly number[]): object => ({
  chars: [...chars],
  charStartTimesMs: startsMs,
  charDurationsMs: durationsMs,
});

describe("an alignment", () => {
  it("tells of each character when it is over, counted from the clause's beginning", () => {
    const first = times("Hi ", [0, 100, 200], [100, 100, 300]);
    const second = times("you", [0, 50, 100], [50, 50, 400]);
    expect(read("Hi you", first, second)).toEqual({
      said: ["H 100", "Hi 200", "Hi 500", "Hi y 550", "Hi yo 600", "Hi you 1000"],
      problems: [],
    });
  });

  it("goes on in a word that two chunks share, and over a chunk that came without", () => {
    const { said, problems } = read("Hello", times("Hel", [0, 100, 200], [100, 100, 300]), null, undefined);
    expect([said.at(-1), problems]).toEqual(["Hel 500", []]);
    const shared = read("Hello", times("Hel", [0, 0, 0], [1, 1, 1]), times("lo", [0, 10], [10, 10]));
    expect([shared.said.at(-1), shared.problems]).toEqual(["Hello 520", []]);
  });

  it("minds no spaces before, between and after", () => {
    const { said, problems } = read("  a  b", times(" a b ", [0, 1, 2, 3, 4], [1, 1, 1, 1, 1]));
    expect([said.at(-1), problems]).toEqual(["  a  b 5", []]);
  });

  it.each([
    ["times that go back", times("ab", [200, 100], [10, 10])],
    ["times that are none", times("ab", [-5, 100], [10, 10])],
    ["times that are none", times("ab", [0, Number.NaN], [10, 10])],
    ["times after the audio's end", times("ab", [0, 9_000_000], [10, 10])],
    ["lists of other lengths", times("ab", [0], [10, 10])],
    ["no lists of characters and times", { chars: "ab" }],
    ["no lists of characters and times", ["a"]],
    ["characters that are not the text's", times("ax", [0, 1], [1, 1])],
    ["characters that are not the text's", times("abc", [0, 1, 2], [1, 1, 1])],
  ])("with %s is said to be of no use, once, and read no further", (why, bad) => {
    const { problems, said } = read("ab", bad, bad, times("ab", [0, 1], [1, 1]));
    expect(problems).toEqual([why]);
    expect(said.length).toBeLessThanOrEqual(2);
  });
});
