import { expect, it, vi } from "vitest";
import { quotesIn } from "./quote-in.ts";

it("finds the words as they stand in the transcript, and reads each utterance once for however many quotes", () => {
  const readings = vi.spyOn(String.prototype, "matchAll");
  const quoted = quotesIn([{ text: "Where is  MY parcel?" }, { text: "It is “on its way”." }]);
  const quotes = ["where is my", "nobody said this", 'is "on', "my parcel?"];
  expect(quotes.map(quoted)).toEqual(["Where is  MY", undefined, "is “on", "MY parcel?"]);
  expect(readings).toHaveBeenCalledTimes(quotes.length + 2);
  readings.mockRestore();
});
