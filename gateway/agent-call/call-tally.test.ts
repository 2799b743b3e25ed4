import { expect, it } from "vitest";
import { CallTally } from "./call-tally.ts";

it("tells how many turns were answered, and how quickly half of them", () => {
  const tally = new CallTally();
  expect(tally.fields()).toEqual({ turns: 0, drops: 0, resumes: 0, callerVanished: false });
  for (const responseMs of [900, 300, 500]) tally.answered({ responseMs });
  expect(tally.fields()).toMatchObject({ turns: 3, responseP50Ms: 500 });
});

it("tells the longest time for which a caller who waited heard nothing", () => {
  const tally = new CallTally();
  tally.answered({ responseMs: 900, deadAirMs: 900 });
  tally.answered({ responseMs: 9_000, deadAirMs: 4_500 });
  tally.answered({ responseMs: 700, deadAirMs: 700 });
  expect(tally.fields()).toMatchObject({ deadAirMaxMs: 4_500 });
});

it("tells a caller who vanished from one who came back", () => {
  const tally = new CallTally();
  tally.dropped();
  expect(tally.fields()).toMatchObject({ drops: 1, callerVanished: true });
  tally.resumed();
  expect(tally.fields()).toMatchObject({ drops: 1, resumes: 1, callerVanished: false });
});
