import { BACKGROUND_SOUNDS } from "@parley/shared/contracts/call-plan.ts";
import { expect, it } from "vitest";
import { pickUpWith } from "./pick-up.ts";
import { Talk } from "./talk.ts";
import { wordFigures } from "./words.ts";

const line = (role: "user" | "assistant", text: string, turn: number) =>
  ({ type: "transcript", role, text, turn, final: true }) as const;

it.each([
  ["as they were said", "Good morning!", ["good morning"], { said: 2, wrong: 0 }],
  ["in two parts", "a table for two", ["a table", "for two"], { said: 4, wrong: 0 }],
  ["as others", "a chair for me", ["a charity for me"], { said: 4, wrong: 1 }],
  ["with one left out and one made up", "one two three", ["two three four"], { said: 3, wrong: 2 }],
  ["not at all", "one two", [], { said: 2, wrong: 2 }],
])("words understood %s are counted", (_, said, understood, figures) => {
  expect(wordFigures([{ said, understood }])).toEqual(figures);
});

it("a talk has what was understood, and beside it what was said where that differs", () => {
  const talk = new Talk();
  talk.hear(line("assistant", "Yes?", 0));
  talk.says("A chair");
  talk.hear(line("user", "a charity", 1));
  talk.hear(line("assistant", "Which?", 1));
  talk.says("The blue one");
  talk.hear(line("user", "the blue one", 2));
  talk.hear(line("assistant", "Fine.", 2));
  talk.says("Bye");
  expect(talk.transcript()).toEqual([
    { role: "assistant", text: "Yes?", turn: 0 },
    { role: "user", text: "a charity", turn: 1, said: "A chair" },
    { role: "assistant", text: "Which?", turn: 1 },
    { role: "user", text: "the blue one", turn: 2 },
    { role: "assistant", text: "Fine.", turn: 2 },
    { role: "user", text: "", turn: 2, said: "Bye" },
  ]);
  expect(talk.callersView().map(({ text }) => text)).toEqual([
    ...["Yes?", "A chair", "Which?", "the blue one", "Fine.", "Bye"],
  ]);
});

it("the rest of an answer that was talked over is no answer to who talked over it", () => {
  const talk = new Talk();
  talk.hear(line("assistant", "Hello.", 0));
  talk.says("Stop");
  talk.hear(line("assistant", "We have", 1));
  expect([talk.isAnsweredAfter(-1), talk.isAnsweredAfter(1)]).toEqual([true, false]);
  talk.hear(line("user", "stop", 2));
  talk.hear(line("assistant", "Of course.", 2));
  expect(talk.isAnsweredAfter(1)).toBe(true);
});

it.each(BACKGROUND_SOUNDS.filter((sound) => sound !== "none"))(
  "a caller's microphone picks up the %s around them from the first frame on",
  async (sound) => {
    const pickUp = await pickUpWith({ sound, volumeDb: 0 });
    const second = Array.from({ length: 50 }, () => pickUp(new Int16Array(320)));
    const rms = Math.sqrt(second.flatMap((frame) => [...frame]).reduce((sum, s) => sum + s ** 2, 0) / 16_000);
    expect(20 * Math.log10(rms / 32_768)).toBeGreaterThan(-52);
    expect(20 * Math.log10(rms / 32_768)).toBeLessThan(-40);
    expect(second[0]?.some((sample) => sample !== 0)).toBe(true);
    expect((await pickUpWith(undefined))(new Int16Array([1, 2]))).toEqual(new Int16Array([1, 2]));
  },
);
