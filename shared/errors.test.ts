import { describe, expect, it } from "vitest";
import { AppError, ERROR_CODES, type ErrorCode, isRetryable, messageOf } from "./errors.ts";

describe("an expected error", () => {
  it.each(Object.keys(ERROR_CODES) as ErrorCode[])("%s answers as the table says", (code) => {
    const error = new AppError(code, "what to change");
    expect(error).toMatchObject({ code, message: "what to change", ...ERROR_CODES[code] });
    expect(error.status).toBeGreaterThanOrEqual(400);
    expect(isRetryable(error)).toBe(ERROR_CODES[code].retryable);
  });

  it("can know better than the table whether another try helps", () => {
    expect(isRetryable(new AppError("vendor_failed", "quota is used up", { retryable: false }))).toBe(false);
  });

  it("keeps what happened underneath out of its message", () => {
    const cause = new Error("connect ECONNREFUSED 10.0.0.1");
    const error = new AppError("unavailable", "Try again shortly.", { cause, retryAfterSecs: 5 });
    expect(error.cause).toBe(cause);
    expect(error.retryAfterSecs).toBe(5);
    expect(error.message).not.toContain("10.0.0.1");
    expect("cause" in new AppError("internal", "x")).toBe(false);
  });

  it("is none of what merely looks like one", () => {
    for (const other of [new Error("x"), { code: "unavailable", retryable: true }, "unavailable", undefined])
      expect(isRetryable(other)).toBe(false);
  });

  it("gives words for whatever was thrown", () => {
    expect([new Error("a"), "b", 3, undefined].map(messageOf)).toEqual(["a", "b", "3", "undefined"]);
  });
});
