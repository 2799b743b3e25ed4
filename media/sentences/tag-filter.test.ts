import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TagFilter } from "./tag-filter.ts";

function filter(tokens: Iterable<string>): string {
  const tags = new TagFilter();
  return [...tokens].map((token) => tags.push(token)).join("") + tags.flush();
}

const CASES: [text: string, said: string][] = [
  ['<expression value="happy"/> Hello', " Hello"],
  ["<spell>A.B.C.</spell> is it", "A.B.C. is it"],
  ["<think>Hm. <b>No</b>, 5 < 6.</think>Yes.", "Yes."],
  ["Well, <Thinking>nobody ends it. Really", "Well, "],
  ["one<br>two<br />three", "one two three"],
  ["<speak rate=\"1.2\" x='y' z=3>fast</speak>", "fast"],
  ["This &amp; that, &lt;b&gt; &#39;x&#x27; &nbsp;", "This & that, <b> 'x'  "],
  ["AT&T, R&D and &bogus;", "AT&T, R&D and &bogus;"],
  ["see https://www.example.com/a or HTTP://b.example.", "see www.example.com/a or b.example."],
  ["<https://a.example>", "<a.example>"],
  ["5 <6 and a <b and c> d <3", "5 <6 and a <b and c> d <3"],
  ["<a@b.example> oh, the http server: https", "<a@b.example> oh, the http server: https"],
];

describe("tags, entities and addresses", () => {
  it.each(CASES)("of %j leave %j, in one token or in many", (text, said) => {
    expect(filter([text])).toBe(said);
    expect(filter(text)).toBe(said);
  });

  it("are the same however they are cut", () => {
    const part = fc.constantFrom(
      ..."<>&;/=\"' ha",
      "think",
      "<think>",
      "</think>",
      "<b>",
      "https:/",
      "&amp",
      ' a="b"',
    );
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 9 }), (whole, length) => {
        const tokens = whole.match(new RegExp(`.{1,${length}}`, "gs")) ?? [];
        expect(filter(tokens)).toBe(filter(whole));
        expect(filter([whole])).toBe(filter(whole));
      }),
      { numRuns: 1_000 },
    );
  });

  it("are held in bounded memory", () => {
    const tags = new TagFilter();
    tags.push("<a b='");
    for (let i = 0; i < 1_000; i++) expect(tags.push("word ").length + tags.pending.length).toBeLessThan(700);
    tags.push("<think>");
    expect(tags.push("hm ".repeat(1_000))).toBe("");
    expect(tags.pending).toBe("");
  });
});
