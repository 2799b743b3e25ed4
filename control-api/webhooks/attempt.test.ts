import { describe, expect, it } from "vitest";
import { backoffMs, judge, MAX_ATTEMPTS, type Outcome } from "./attempt.ts";

const answered = (status: number): Outcome => ({ kind: "answered", status, body: "" });
const failed: Outcome = { kind: "failed", reason: "no answer within 30 s" };
const refused: Outcome = { kind: "refused", reason: "the address is private" };

/** Row by row: what an answer makes of a delivery. */
describe("an attempt", () => {
  it.each([200, 201, 204, 299])("answered %d delivers", (status) => {
    expect(judge(answered(status), 1)).toEqual({ status: "delivered", error: null });
    expect(judge(answered(status), 8)).toEqual({ status: "delivered", error: null });
  });

  it.each([301, 302, 307, 400, 404, 429, 500, 503, 199, 100])(
    "answered %d fails and is tried again",
    (status) => {
      expect(judge(answered(status), 1)).toEqual({
        status: "failed",
        retryAfterMs: 10_000,
        error: `the receiver answered ${status}`,
      });
    },
  );

  it("without an answer fails and is tried again", () => {
    expect(judge(failed, 3)).toEqual({
      status: "failed",
      retryAfterMs: 40_000,
      error: "no answer within 30 s",
    });
  });

  it("that is the eighth to fail ends the delivery, and the endpoint stays enabled", () => {
    for (const outcome of [answered(500), failed]) {
      const verdict = judge(outcome, MAX_ATTEMPTS);
      expect(verdict).toMatchObject({ status: "dead", lastError: verdict.error });
      expect(verdict.disable).toBeUndefined();
      expect(verdict.retryAfterMs).toBeUndefined();
    }
  });

  it("answered 410 ends the delivery and disables the endpoint, whichever attempt it is", () => {
    for (const attempt of [1, 8]) {
      expect(judge(answered(410), attempt)).toMatchObject({
        status: "dead",
        disable: "the receiver answered 410",
      });
    }
  });

  it("to an address that may not be called ends the delivery and disables the endpoint", () => {
    for (const attempt of [1, 8]) {
      expect(judge(refused, attempt)).toEqual({
        status: "dead",
        error: "the address is private",
        lastError: "the address is private",
        disable: "the address is private",
      });
    }
  });

  it("waits 10, 20, 40, 80, 160, 320 and 640 s, so the last comes about 21 minutes after the first", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt) / 1_000);
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640]);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(1_270);
  });
});
