import { END_REASONS } from "@parley/shared/contracts/call-status.ts";
import { describe, expect, test } from "vitest";
import { type CallView, IDLE_VIEW } from "./call-view.ts";
import { noticesOf } from "./words.ts";

function said(change: Partial<CallView>): string[] {
  return noticesOf({ ...IDLE_VIEW, ...change }).map(({ title, text }) => `${title}. ${text}`);
}

describe("notices", () => {
  test("a quiet page says nothing", () => {
    expect(said({})).toEqual([]);
  });

  test("a refused microphone says what to do, in plain words", () => {
    expect(said({ microphone: { is: "failed", fault: "refused" } })).toEqual([
      "The microphone is blocked. Allow it in the address bar, or type below.",
    ]);
  });

  test.each(END_REASONS)("the reason %s has words of its own", (reason) => {
    const [notice] = said({ phase: { at: "ended", reason } });
    expect(notice).not.toContain("_");
    expect(notice).not.toContain("The server ended it.");
  });

  test("an unknown reason of a later server still makes a sentence", () => {
    expect(said({ phase: { at: "ended", reason: "moon_eclipse" } })).toEqual([
      "The call has ended. The server ended it.",
    ]);
  });

  test("a fatal error is told once, with the gateway's reason", () => {
    const trouble = { code: "resume_invalid", message: "The token is wrong." };
    expect(said({ phase: { at: "failed", failure: "fatal" }, trouble })).toEqual([
      "The call cannot go on. The token is wrong.",
    ]);
  });

  test("several troubles are told together, the call's first", () => {
    const view = {
      phase: { at: "resuming" },
      microphone: { is: "failed", fault: "missing" },
      sound: false,
    } as const;
    expect(noticesOf({ ...IDLE_VIEW, ...view }).map(({ title }) => title)).toEqual([
      "The connection dropped",
      "No microphone was found",
      "No sound",
    ]);
  });
});
