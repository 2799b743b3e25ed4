import { expect, test } from "vitest";
import { numberPart } from "./number-part.ts";

test.each([
  ["+14155551234", "+14155551234"],
  ["+1 415 555 1234", "+14155551234"],
  ["(415) 555-1234", "4155551234"],
  ["415.555.12", "41555512"],
  ["0049 170 1234567", "+491701234567"],
  ["0012", "0012"],
  ["sip:anna", "sip:anna"],
  ["--", "--"],
])("a search for %s looks for %s", (written, part) => {
  expect(numberPart(written)).toBe(part);
});
