import weights from "@parley/media/end-of-turn/classifier/weights.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { ratesOfHeldOut, trainAll } from "./train.ts";

const rates = new Map(ratesOfHeldOut(weights).map((of) => [of.name, of]));

describe("the weights that tell whether a phrase is finished", () => {
  it("are what the corpus makes them (node scripts/train-end-of-turn.ts)", () => {
    expect(trainAll()).toEqual(weights);
  });

  it.each([
    ["held out, en", 0.1, 0.3],
    ["held out, en, each with a full stop", 0.1, 0.3],
    ["held out, lists", 0.25, 0.33],
  ])("cut off and keep waiting no oftener than this: %s, %d, %d", (name, falseFinished, falseUnfinished) => {
    expect(rates.get(name)?.unfinished).toBeGreaterThan(50);
    expect(rates.get(name)?.falseFinished).toBeLessThan(falseFinished);
    expect(rates.get(name)?.falseUnfinished).toBeLessThan(falseUnfinished);
  });

  it("take nothing for finished without marks in a language they have no words of", () => {
    expect(rates.get("held out, any")?.falseFinished).toBe(0);
  });
});
