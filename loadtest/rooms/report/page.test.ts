import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../../testkit/product.ts";
import { updatedRooms } from "./page.ts";
import { readResults } from "./results.ts";

it("shows the last run's rooms and their picture (npm run rooms)", () => {
  const page = readFileSync(join(ROOT, "docs/rooms.md"), "utf8");
  const results = readResults();
  if (!results) {
    expect(page).toContain("Not measured yet");
    return;
  }
  const made = updatedRooms(page, results);
  expect(made.page).toBe(page);
  expect(readFileSync(join(ROOT, "docs/pictures/rooms.svg"), "utf8")).toBe(made.picture);
});
