import { scriptOf } from "@parley/control-api/channels/carriers/loopback/script.ts";
import { describe, expect, test } from "vitest";
import { phoneOf, SIMULATED_PHONES, withEnding } from "../dashboard/features/numbers/simulated-phones.ts";

describe("simulated phones to choose among", () => {
  test("do different things, each as the carrier's phone with its ending", () => {
    const scripts = SIMULATED_PHONES.map(({ ending }) =>
      JSON.stringify(scriptOf(`+120255501${ending}`).steps),
    );
    expect(new Set(scripts).size).toBe(SIMULATED_PHONES.length);
    const endings = Array.from({ length: 100 }, (_, at) => String(at).padStart(2, "0"));
    const chosen = (ending: string): string => phoneOf(`+120255501${ending}`)?.ending ?? "";
    for (const ending of endings)
      expect(scriptOf(`+120255501${ending}`).steps, ending).toEqual(scriptOf(chosen(ending)).steps);
  });

  test("are chosen by the last two digits, which choosing changes", () => {
    expect(withEnding("+12025550100", "07")).toBe("+12025550107");
    expect(withEnding("", "07")).toBe("");
    expect(phoneOf("+1 202 555 0104 ")?.ending).toBe("04");
    expect(phoneOf("+12025550199")?.ending).toBe("00");
    // A number may be written with anything between its digits.
    expect(phoneOf("+1 202 555 010-4.")?.ending).toBe("04");
    expect(withEnding("+1 202 555 010-4.", "07")).toBe("+1 202 555 0107");
  });
});
