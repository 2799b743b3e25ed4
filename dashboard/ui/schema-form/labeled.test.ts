import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { expect, it } from "vitest";
import { z } from "zod";
import { labeled } from "./labeled.ts";

it("a schema's message is a sentence about the field, as the page names it", () => {
  const schema = z.object({ name: z.string().min(1), hours: z.int().max(720), url: z.url() });
  const issues = schema.safeParse({ name: "", hours: 1_000 }, { error: plainEnglish }).error?.issues ?? [];
  const labels = ["Name", "Hours (optional)", "First page"];
  expect(issues.map(({ message }, at) => labeled(labels[at] ?? "", message))).toEqual([
    "Name must not be empty.",
    "Hours must be at most 720.",
    "First page is required.",
  ]);
});

it("a message that does not go on with the field's name stands alone", () => {
  expect(labeled("Events", "not an event of the catalog")).toBe("Not an event of the catalog.");
  expect(labeled("", "accessToken or appSecret is required")).toBe("AccessToken or appSecret is required.");
});
