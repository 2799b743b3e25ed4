import { describe, expect, it } from "vitest";
import { type Conversation, talkRatioOf } from "../conversation.ts";
import { loadLanguage } from "./language.ts";
import { sentencesOf } from "./sentences.ts";

const said = (text: string, times: number): Conversation =>
  Array.from({ length: times }, () => ({ role: "user", text }));

describe("the sentences of a conversation", () => {
  it("are read up to as much as people say in two hours", async () => {
    const line = "The parcel is here. ";
    const language = await loadLanguage();
    const read = await sentencesOf(said(line.repeat(1_000), 12), language);
    expect(read.map(({ text }) => text.length + 1).reduce((sum, chars) => sum + chars)).toBe(200_000);
  });

  it.each([
    ["are read", async (texts: Conversation) => sentencesOf(texts, await loadLanguage())],
    ["have their words counted", talkRatioOf],
  ])("%s one text after the other, so that whoever waits comes in between", async (_how, work) => {
    let others = 0;
    let isOver = false;
    const wait = (): void => {
      others += 1;
      if (!isOver) setImmediate(wait);
    };
    await loadLanguage();
    setImmediate(wait);
    await work(said("The parcel is here.", 20));
    isOver = true;
    expect(others).toBeGreaterThanOrEqual(19);
  });
});
