import { describe, expect, it } from "vitest";
import { stripMarkup } from "./strip-markup.ts";

describe("what a voice says", () => {
  it.each([
    ["plain words", "plain words"],
    ["**bold**, *slanted*, __both__ and ~~gone~~", "bold, slanted, both and gone"],
    ["a half-open **mark", "a half-open mark"],
    ["*5 stars* and _emphasis_", "5 stars and emphasis"],
    ["2*3 and 2 * 3 and snake_case", "2*3 and 2 * 3 and snake_case"],
    ["x**2 + y**2 = z**n", "x**2 + y**2 = z**n"],
    ["all *.py files and snake___case", "all *.py files and snake___case"],
    ["这是**重点**内容", "这是重点内容"],
    ["\n## A title ##", "A title"],
    ["\n# A title #", "A title"],
    ["press #", "press #"],
    ["press the `#` key", "press the # key"],
    ["\n## A heading", "A heading"],
    ["we are #1", "we are #1"],
    ["\n- first\n* second\n• third\n+ fourth", "first second third fourth"],
    ["it is -5 or 3 - 2", "it is -5 or 3 - 2"],
    ["\n- [ ] open", "[ ] open"],
    ["\n> quoted", "quoted"],
    ['see [our site](https://a.example/x?y=1 "t"), please', "see our site, please"],
    ["![a cat](cat.png) here", "a cat here"],
    ["[link](https://a.example/b_(c)_d)", "link"],
    ["[1] is a footnote", "[1] is a footnote"],
    ["\n```python\nprint(1)\n```", "print(1)"],
    ["\n| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"],
    ["one\n---\ntwo", "one two"],
    ["Great 😀! Family 👨‍👩‍👧‍👦, flag 🇩🇪, thumbs 👍🏽.", "Great! Family, flag, thumbs."],
    ["press 1️⃣ now ❤️", "press 1 now"],
    ["Acme™ © 2026", "Acme™ © 2026"],
    ["🎉", ""],
    ["  many \n\n spaces\t", "many spaces"],
  ])("of %j is %j", (text, spoken) => {
    expect(stripMarkup(text)).toBe(spoken);
  });
});
