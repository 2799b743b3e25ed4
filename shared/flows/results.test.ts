import { describe, expect, it } from "vitest";
import { flowOf } from "../../testkit/flows.ts";
import { resolvePlaceholders } from "../variables/placeholders.ts";
import { newFlowState, stepFlow } from "./interpreter.ts";

describe("a text with placeholders", () => {
  it("has the values of ten variables as long as they can be, and of one that it names a thousand times no more", () => {
    const names = Array.from({ length: 10 }, (_, nr) => `value_${nr}`);
    const long = Object.fromEntries(names.map((name) => [name, "y".repeat(4_000)]));
    expect(resolvePlaceholders(names.map((name) => `{${name}}`).join(""), long)).toBe("y".repeat(40_000));
    expect(resolvePlaceholders("{value_0}".repeat(1_000), long)).toBe("y".repeat(40_000));
    expect(resolvePlaceholders(`${"{value_0}".repeat(11)} is all.`, long)).toBe(
      `${"y".repeat(40_000)} is all.`,
    );
  });

  it("is spoken with no more of them", () => {
    const flow = flowOf({
      s: { type: "set", values: [{ variable: "x", value: "y".repeat(4_000) }], next: "e" },
      e: { type: "end", text: "{x}".repeat(300) },
    });
    const { effects } = stepFlow(flow, newFlowState(flow, {}), { type: "begin" });
    const said = effects.flatMap((effect) => (effect.type === "say" ? [effect.text.length] : []));
    expect(said).toEqual([40_000]);
  });
});
