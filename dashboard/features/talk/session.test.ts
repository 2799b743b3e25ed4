import { describe, expect, test } from "vitest";
import { callUrlInHash, readCallUrl } from "./session.ts";

describe("a pasted call URL", () => {
  test("is taken with the space around it trimmed", () => {
    expect(readCallUrl("  ws://localhost:8090/v1/calls/a?ticket=t\n", "http:")).toEqual({
      url: "ws://localhost:8090/v1/calls/a?ticket=t",
    });
  });

  test.each(["", "hello", "http://localhost/v1/calls/a", "javascript:alert(1)"])(
    "%j is refused with words",
    (text) => {
      expect(readCallUrl(text, "http:")).toHaveProperty("problem");
    },
  );

  test("must be secure on a secure page", () => {
    expect(readCallUrl("ws://localhost/a", "https:")).toHaveProperty("problem");
    expect(readCallUrl("wss://localhost/a", "https:")).toEqual({ url: "wss://localhost/a" });
  });

  test("is read from the link's hash", () => {
    expect(callUrlInHash("#url=wss%3A%2F%2Fhost%2Fa%3Fticket%3Dt")).toBe("wss://host/a?ticket=t");
    expect(callUrlInHash("")).toBeUndefined();
  });
});
