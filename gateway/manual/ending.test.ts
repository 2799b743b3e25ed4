import { expect, it } from "vitest";
import { statusOf } from "./ending.ts";

it.each([
  ["busy", "busy", "busy"],
  ["no_answer", "no-answer", "no-answer"],
  ["hangup", "canceled", "no-answer"],
  ["api_request", "canceled", "canceled"],
  ["declined", "busy", "busy"],
  ["carrier_failed", "failed", "failed"],
  ["node_draining", "failed", "failed"],
])("a call that nobody answered and that ends by %s is %s, one that came in %s", (reason, made, taken) => {
  expect(statusOf(reason, { wasAnswered: false, isIncoming: false })).toBe(made);
  expect(statusOf(reason, { wasAnswered: false, isIncoming: true })).toBe(taken);
});

it.each([
  ["hangup", "completed"],
  ["api_request", "completed"],
  ["node_draining", "completed"],
  ["carrier_failed", "failed"],
])("a call that somebody answered and that ends by %s is %s", (reason, status) => {
  for (const isIncoming of [false, true])
    expect(statusOf(reason, { wasAnswered: true, isIncoming })).toBe(status);
});
