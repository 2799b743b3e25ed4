import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ID_PREFIXES, isId, newId } from "./ids.ts";

describe("ids", () => {
  it("carry what they name and are known by it", () => {
    for (const prefix of ID_PREFIXES) {
      for (const other of ID_PREFIXES) expect(isId(other, newId(prefix))).toBe(other === prefix);
    }
  });

  it("sort by the time they were made, within a millisecond too, and are never the same", () => {
    const ids = Array.from({ length: 20_000 }, () => newId("evt"));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are safe in a path, a file name and a channel name", () => {
    expect(newId("ses")).toMatch(/^[a-z]{3}_[0-9a-f]{32}$/);
  });

  it("are no other text", () => {
    for (const text of [
      "ses_'; drop table",
      `ses_${"0".repeat(31)}`,
      `ses_${"0".repeat(33)}`,
      `ses_${"G".repeat(32)}`,
    ])
      expect(isId("ses", text)).toBe(false);
    expect(isId("ses", `${newId("ses")}\n`)).toBe(false);
    fc.assert(fc.property(fc.string(), (text) => !isId("ses", text)));
  });
});
