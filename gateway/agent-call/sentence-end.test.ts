import { expect, it } from "vitest";
import { SentenceEnd } from "./sentence-end.ts";

function speaking() {
  const reply = { clauseAtCursor: 0, hasAudio: true, isComplete: false, isDrained: false };
  const time = { nowMs: 0 };
  const sentence = new SentenceEnd(reply, { now: () => time.nowMs, leadMs: 200 });
  return { reply, time, sentence };
}

it("is at once when nothing is being said", () => {
  expect(new SentenceEnd(undefined, { now: () => 0, leadMs: 200 }).isSaid(undefined)).toBe(true);
});

it("comes when the next sentence is on its way and this one was heard", () => {
  const { reply, time, sentence } = speaking();
  time.nowMs = 3_000;
  expect(sentence.isSaid(reply)).toBe(false);
  reply.clauseAtCursor = 1;
  expect(sentence.isSaid(reply)).toBe(false);
  time.nowMs = 3_400;
  expect(sentence.isSaid(reply)).toBe(true);
});

it("comes with the end of what is said, and when the caller interrupts it", () => {
  const { reply, time, sentence } = speaking();
  reply.isComplete = true;
  reply.isDrained = true;
  expect(sentence.isSaid(reply)).toBe(false);
  time.nowMs = 400;
  expect(sentence.isSaid(reply)).toBe(true);
  expect(speaking().sentence.isSaid(undefined)).toBe(true);
});
