import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { storableText } from "@parley/shared/contracts/storable.ts";

const MAX_TEXT_CHARS = 4_000;

/**
 * Cuts each text of an analysis to 4,000 characters. Only for a masked analysis: a card number that the cut goes
 * through is none to a scrubber, and would stay in the clear.
 */
export function cutTexts(analysis: CallAnalysis): CallAnalysis {
  return cut(analysis) as CallAnalysis;
}

function cut(value: unknown): unknown {
  // The cut may halve a character, which cannot be stored.
  if (typeof value === "string")
    return value.length > MAX_TEXT_CHARS ? storableText(value.slice(0, MAX_TEXT_CHARS)) : value;
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each)]));
}
