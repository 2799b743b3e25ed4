import { expect, it } from "vitest";
import { statusOf } from "./ending.ts";

it.each([
  ["busy", "busy"],
  ["no_answer", "no-answer"],
  ["hangup", "canceled"],
  ["api_request", "canceled"],
  ["carrier_failed", "failed"],
  ["node_draining", "failed"],
])("a call that nobody answered and that ends by %s is %s", (reason, status) => {
  expect(statusOf(reason, false)).toBe(status);
  expect(statusOf(reason, true)).toBe("completed");
});
