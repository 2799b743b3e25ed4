import { callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { describe, expect, it } from "vitest";
import { HearingWatch } from "./hearing-watch.ts";

const SETTINGS = callPlanSchema.shape.outage.parse({});
const PHONE = { isBusy: false, canType: false };

function deafFrom(ms: number, settings = SETTINGS): HearingWatch {
  const watch = new HearingWatch(settings);
  watch.lost(ms);
  return watch;
}

describe("a caller whom nobody hears", () => {
  it("is told so once, when the agent has come to an end", () => {
    const watch = deafFrom(1_000);
    expect(watch.check(1_100, { ...PHONE, isBusy: true })).toBeUndefined();
    expect(watch.check(1_200, PHONE)).toBe("say");
    expect(watch.check(1_300, PHONE)).toBeUndefined();
  });

  it("is hung up on after half a minute when a voice is all they have", () => {
    const watch = deafFrom(1_000);
    watch.check(1_100, PHONE);
    expect(watch.check(30_900, PHONE)).toBeUndefined();
    expect(watch.check(31_000, { ...PHONE, canType: true })).toBeUndefined();
    expect(watch.check(31_000, PHONE)).toBe("hangup");
  });

  it("is not hung up on while they press keys, nor once somebody hears them, nor where the owner forbids it", () => {
    const watch = deafFrom(1_000);
    watch.check(1_100, PHONE);
    watch.disturb(20_000);
    expect(watch.check(40_000, PHONE)).toBeUndefined();
    watch.recovered();
    expect(watch.check(90_000, PHONE)).toBeUndefined();
    const patient = deafFrom(0, { ...SETTINGS, hangupAfterMs: 0 });
    patient.check(100, PHONE);
    expect(patient.check(900_000, PHONE)).toBeUndefined();
  });

  it("is told again when it happens again, and never where there is no line", () => {
    const watch = deafFrom(0);
    watch.check(100, PHONE);
    watch.recovered();
    watch.lost(5_000);
    expect(watch.check(5_100, PHONE)).toBe("say");
    expect(deafFrom(0, { ...SETTINGS, hearingLine: "" }).check(100, PHONE)).toBeUndefined();
  });
});
