import { expect, it } from "vitest";
import { endOfManual } from "./ending.ts";

it.each([
  ["busy", "busy", "busy"],
  ["no_answer", "no-answer", "no-answer"],
  ["hangup", "canceled", "no-answer"],
  ["api_request", "canceled", "canceled"],
  ["declined", "busy", "busy"],
  ["carrier_failed", "failed", "failed"],
  ["node_draining", "failed", "failed"],
])("a call that nobody answered and that ends by %s is %s, one that came in %s", (reason, made, taken) => {
  const wasAnswered = false;
  expect(endOfManual(reason, { wasAnswered, isIncoming: false })).toEqual({ status: made, reason });
  expect(endOfManual(reason, { wasAnswered, isIncoming: true })).toEqual({ status: taken, reason });
});

it.each([
  ["hangup", "completed", "hangup"],
  ["api_request", "completed", "api_request"],
  ["node_draining", "completed", "node_draining"],
  ["carrier_failed", "failed", "carrier_failed"],
  ["busy", "completed", "hangup"],
])("a call that somebody answered and that ends by %s is %s, for %s", (because, status, reason) => {
  for (const isIncoming of [false, true])
    expect(endOfManual(because, { wasAnswered: true, isIncoming })).toEqual({ status, reason });
});
