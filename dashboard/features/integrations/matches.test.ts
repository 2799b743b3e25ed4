import { expect, test } from "vitest";
import { matches } from "./matches.ts";

const texts = ["Cal.com", "Scheduling", "Finds free times, and books, moves and cancels appointments."];

test.each(["", "  ", "cal", "Book app", "CANCEL", "com"])("“%s” finds it", (search) => {
  expect(matches(search, texts)).toBe(true);
});

test.each(["order", "cal order", "ointment"])("“%s” does not", (search) => {
  expect(matches(search, texts)).toBe(false);
});
