import { expect, it } from "vitest";
import type { OthersText } from "./own-hearing.ts";
import { UndecidedTexts } from "./undecided-texts.ts";

const NOBODY = { whose: "nobody", ownFrames: 0, theirFrames: 0 } as const;

/** Texts that wait while an echo is sought and none is found. */
function waitingTexts() {
  const told: string[] = [];
  const texts = new UndecidedTexts({
    own: {
      echoes: 0,
      isLikelyEcho: false,
      maybeEcho: false,
      isOver: false,
      origin: NOBODY,
      areOwnWords: () => false,
    },
    tell: (_event, others) => told.push(others.text),
  });
  const hear = (text: string, atMs: number, others: Partial<OthersText>): void =>
    texts.take({ type: "interim", text }, { text, undecidedMs: 300, ...others }, atMs);
  return { texts, told, hear };
}

it("a caller who is clearly heard waits no longer for each further word that could be the agent's", () => {
  const { texts, told, hear } = waitingTexts();
  hear("what", 1_000, { mayJoin: false });
  hear("what time", 1_200, { mayJoin: false });
  texts.tick(1_299);
  expect(told).toEqual([]);
  texts.tick(1_300);
  expect(told).toEqual(["what", "what time"]);
});

it("where nobody is clearly heard, the last word's wait counts: together they may be the agent's", () => {
  const { texts, told, hear } = waitingTexts();
  hear("what", 1_000, { mayJoin: true });
  hear("what time", 1_200, { mayJoin: true });
  texts.tick(1_300);
  expect(told).toEqual([]);
  texts.tick(1_500);
  expect(told).toEqual(["what", "what time"]);
});
