import { describe, expect, it } from "vitest";
import { isNews, mayBecome, OUTBOUND_STATES } from "./message-states.ts";

const TOLD = ["sent", "delivered", "read", "played", "failed"] as const;

/** Written out: from the row's state, what may follow. */
const MAY: Readonly<Record<(typeof OUTBOUND_STATES)[number], readonly string[]>> = {
  queued: ["sending", "failed"],
  sending: ["queued", "unknown", ...TOLD],
  unknown: [...TOLD],
  sent: ["delivered", "read", "played", "failed"],
  delivered: ["read", "played"],
  read: ["played"],
  played: [],
  failed: [],
};

describe("the states of a message that is sent", () => {
  it.each(OUTBOUND_STATES)("%s becomes what the table says and nothing else", (state) => {
    expect(OUTBOUND_STATES.filter((next) => mayBecome(state, next)).sort()).toEqual([...MAY[state]].sort());
  });

  it("takes the first thing that is told as it is, and drops what is no status", () => {
    for (const status of TOLD) expect(isNews(undefined, status)).toBe(true);
    for (const status of ["deleted", "queued", "toString", ""]) expect(isNews(undefined, status)).toBe(false);
  });

  it("never goes back, whatever order statuses come in", () => {
    let told: string | undefined;
    for (const status of ["delivered", "sent", "read", "delivered", "failed", "sent"])
      if (isNews(told, status)) told = status;
    expect(told).toBe("read");
  });
});
