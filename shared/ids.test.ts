import { describe, expect, it } from "vitest";
import { ID_PREFIXES, isId, newId } from "./ids.ts";

describe("ids", () => {
  it("carry what they name and are known by it", () => {
    for (const prefix of ID_PREFIXES) expect(isId(prefix, newId(prefix))).toBe(true);
    expect(isId("org", newId("ses"))).toBe(false);
    expect(isId("ses", "ses_'; drop table")).toBe(false);
  });

  it("sort by the time they were made", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(newId("evt"));
      const now = Date.now();
      await expect.poll(() => Date.now()).toBeGreaterThan(now);
    }
    expect([...ids].sort()).toEqual(ids);
  });
});
