import { numberText, wordsOf } from "./agent-labels.ts";
import { FACTS, type FieldFacts } from "./setting-facts.at-build.ts";

/** What the API accepts at a path of an agent's settings; empty for a path it does not know. */
export function factsOf(path: string): FieldFacts {
  return FACTS[path.replace(/(?<=\.)\d+(?=\.|$)/g, "*")] ?? {};
}

/** A number's bounds and default, in its unit. */
export function rangeText(path: string): string {
  const { min, max, standard } = factsOf(path);
  const { unit } = wordsOf(path);
  const range =
    min === undefined || max === undefined
      ? []
      : [`${numberText(min, unit)} to ${numberText(max, unit)}${unit ? ` ${unit}` : ""}`];
  const usual = typeof standard === "number" ? [`default ${numberText(standard, unit)}`] : [];
  return [...range, ...usual].join(", ");
}
