import { expect, test } from "vitest";
import { withCatalog } from "../../scripts/update-webhooks.ts";
import { readText } from "./compose-file.ts";

test("docs/webhooks.md has the events as they are (npx node scripts/update-webhooks.ts)", () => {
  const page = readText("docs/webhooks.md");
  expect(withCatalog(page)).toBe(page);
  expect(page).toContain("### `call.ended`");
});
