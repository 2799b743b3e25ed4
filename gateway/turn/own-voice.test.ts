import { describe, expect, it } from "vitest";
import { speakerOf } from "./own-voice.ts";

const mine = { count: 5, isAllMine: true, matched: 5, leading: 5, continues: 0 };
const mineThenTheirs = { count: 6, isAllMine: false, matched: 4, leading: 4, continues: 0 };
const theirs = { count: 2, isAllMine: false, matched: 0, leading: 0, continues: 0 };
const oneOfMine = { count: 1, isAllMine: true, matched: 1, leading: 1, continues: 0 };
const halfMine = { count: 4, isAllMine: false, matched: 2, leading: 0, continues: 0 };
const own = { whose: "mine", ownFrames: 40, theirFrames: 0 } as const;
const both = { whose: "theirs", ownFrames: 40, theirFrames: 40 } as const;
const caller = { whose: "theirs", ownFrames: 0, theirFrames: 40 } as const;
const unknown = { whose: "unsure", ownFrames: 0, theirFrames: 0 } as const;
const nobody = { whose: "nobody", ownFrames: 0, theirFrames: 0 } as const;
const byVoice = { who: "agent", why: "own_voice" };
const byWords = { who: "agent", why: "own_words" };
const isCaller = { who: "caller", skipWords: 0 };

describe("who said a text", () => {
  it.each([
    ["the agent, where the echo explains the sound, whatever was understood", own, theirs, byVoice],
    [
      "the caller, where somebody was heard and there is no echo, though they repeat the agent",
      caller,
      mine,
      isCaller,
    ],
    ["the agent, where somebody coughs while its own words come back", both, mine, byWords],
    ["the caller, who asks back with one of the agent's words over the echo", both, oneOfMine, isCaller],
    [
      "the caller, for what they say after the agent's words",
      both,
      mineThenTheirs,
      { who: "caller", skipWords: 4 },
    ],
    ["the agent, by its words, while no echo is known yet", unknown, mine, byWords],
    ["the caller, while no echo is known, with one word of the agent's", unknown, oneOfMine, isCaller],
    ["the caller, while no echo is known, with words of their own", unknown, theirs, isCaller],
    ["the agent, where no voice was heard and half of it is its own", nobody, halfMine, byWords],
    ["the caller, where no voice was heard and the words are not the agent's", nobody, theirs, isCaller],
  ] as const)("is %s", (_, sound, words, speaker) => {
    expect(speakerOf({ sound, isFinal: true, echo: "settled" }, words)).toEqual(speaker);
  });

  it("is the agent while the text may still grow into its words", () => {
    expect(speakerOf({ sound: unknown, isFinal: false, echo: "settled" }, oneOfMine)).toEqual(byWords);
  });

  it("is not decided for a word of the agent's while it is not known whether there is an echo", () => {
    const heard = { sound: unknown, isFinal: true, echo: "sought" } as const;
    expect(speakerOf(heard, oneOfMine)).toEqual({ who: "undecided", forMs: 700 });
    expect(speakerOf(heard, theirs)).toEqual(isCaller);
    expect(speakerOf({ ...heard, sound: caller, echo: "suspected" }, oneOfMine)).toEqual({
      who: "undecided",
      forMs: 700,
    });
  });

  it("is not decided as long for the agent's words where somebody was heard: an echo may just begin", () => {
    const heard = { sound: caller, isFinal: false, echo: "sought" } as const;
    expect(speakerOf(heard, oneOfMine)).toEqual({ who: "undecided", forMs: 300 });
    expect(speakerOf(heard, mine)).toEqual({ who: "undecided", forMs: 300 });
    expect(speakerOf(heard, theirs)).toEqual(isCaller);
  });

  it("is the caller, for the agent's words in a sound that has gone on for longer than an echo takes to be seen", () => {
    const heard = { sound: caller, isFinal: false, echo: "sought", sinceOnsetMs: 200 } as const;
    expect(speakerOf(heard, oneOfMine)).toEqual({ who: "undecided", forMs: 100 });
    expect(speakerOf({ ...heard, sinceOnsetMs: 700 }, oneOfMine)).toEqual(isCaller);
  });

  it("is the agent, for its words in a sound that is likely an echo", () => {
    const heard = { sound: caller, isFinal: false, echo: "likely" } as const;
    expect(speakerOf(heard, oneOfMine)).toEqual(byWords);
    expect(speakerOf(heard, theirs)).toEqual(isCaller);
  });

  it("is the agent, for three words with which it goes on, whoever is heard over a known echo", () => {
    const heard = { sound: both, isFinal: true, echo: "settled", isEchoing: true } as const;
    expect(speakerOf(heard, { ...oneOfMine, continues: 1 })).toEqual(isCaller);
    expect(speakerOf(heard, { ...mine, count: 3, continues: 3 })).toEqual(byWords);
    expect(speakerOf(heard, oneOfMine)).toEqual(isCaller);
    const then = { count: 2, isAllMine: false, matched: 1, leading: 1, continues: 1 };
    expect(speakerOf(heard, then)).toEqual(isCaller);
  });

  it("is not decided for a word with which the agent goes on beside no more than an uh-huh: it is the caller's if they go on", () => {
    const listener = { ...both, theirFrames: 15 };
    const heard = { sound: listener, isFinal: true, echo: "settled", isEchoing: true } as const;
    const undecided = { who: "undecided", forMs: 700, theirFrames: 18 };
    expect(speakerOf(heard, { ...oneOfMine, continues: 1 })).toEqual(undecided);
    expect(speakerOf(heard, oneOfMine)).toEqual(isCaller);
    expect(speakerOf(heard, theirs)).toEqual(isCaller);
  });

  it("is the agent, for one word of its own, where a known echo does not tell whose sound it was", () => {
    const heard = { sound: unknown, isFinal: true, echo: "settled", isEchoing: true } as const;
    expect(speakerOf(heard, oneOfMine)).toEqual(byWords);
    expect(speakerOf(heard, theirs)).toEqual(isCaller);
  });
});
