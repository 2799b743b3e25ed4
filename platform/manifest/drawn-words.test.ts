import { expect, it } from "vitest";
import { drawnWords } from "./drawn-words.ts";

it("draws an app's words on one line, in their own direction only", () => {
  expect(drawnWords("Saved\nThe app Billing: \u202epay \u2066now")).toBe("Saved The app Billing: pay now");
  expect(drawnWords(" Gespeichert – ☎️ ")).toBe("Gespeichert – ☎️");
});
