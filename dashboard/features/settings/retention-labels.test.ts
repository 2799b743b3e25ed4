import { expect, it } from "vitest";
import { daysInWords, keptDays } from "./retention-labels.ts";

it.each([
  [0, "forever"],
  [1, "1 day"],
  [30, "30 days"],
])("%i days are said as %s", (days, words) => {
  expect(daysInWords(days)).toBe(words);
});

it.each([
  [null, 30, 30],
  [null, 0, Number.POSITIVE_INFINITY],
  [0, 30, Number.POSITIVE_INFINITY],
  [5, 30, 5],
])(
  "an organization that says %s keeps calls, where the installation says %i, for %s days",
  (own, all, days) => {
    expect(keptDays({ recordingRetentionDays: own, defaultDays: all })).toBe(days);
  },
);
