import { expect, it } from "vitest";
import { parseSearch, searchOf, stringifySearch } from "./search.ts";

it("what stands in an address stays text: a phone number is none to count with", () => {
  const search = { number: "+31201234567", from: "2026-01-01", text: "yes & no", before: "123" };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
  expect(stringifySearch({})).toBe("");
  expect(stringifySearch({ text: undefined })).toBe("");
});

it("a page's query is what the page knows", () => {
  const read = searchOf("call", "from");
  expect(read({ call: "ses_1", utm_source: "mail", from: 7 })).toEqual({ call: "ses_1" });
});
