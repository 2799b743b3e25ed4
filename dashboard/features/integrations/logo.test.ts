import { expect, test } from "vitest";
import { lettersOf } from "./logo.tsx";

test.each([
  ["Stripe", "St"],
  ["Demo shop", "Ds"],
  ["Cal.com", "Cc"],
  ["HTTP API", "HA"],
  ["", ""],
])("%s is shown by its letters", (name, letters) => {
  expect(lettersOf(name)).toBe(letters);
});
