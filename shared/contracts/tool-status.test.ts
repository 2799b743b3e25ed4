import { expect, test } from "vitest";
import { brainControlSchema } from "./brain-control.ts";
import { toolStatusOf } from "./tool-status.ts";

test.each([
  ["success", "success"],
  ["not_found", "not_found"],
  ["abandoned", "abandoned"],
  ["confirmation_declined", "confirmation_declined"],
  ["ok", "success"],
  ["done", "success"],
  ["confirmation_", "success"],
  ["Failed", "error"],
  ["timed out: timeout", "error"],
  ["503", "error"],
  ["http_500", "error"],
  ["HTTP 404 Not Found", "error"],
  ["status:422", "error"],
  ["http_5xx", "error"],
  ["http_200", "success"],
  ["took 450 ms", "success"],
])("a brain's %s is %s to receivers of webhooks", (word, status) => {
  expect(toolStatusOf(word)).toBe(status);
});

test("a brain that names no status had success", () => {
  expect(brainControlSchema.parse({ event: "tool", name: "book" })).toMatchObject({ status: "success" });
  expect(brainControlSchema.parse({ event: "tool", name: "book", status: "ok" })).toMatchObject({
    status: "success",
  });
});
