import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { Scrubber } from "@parley/shared/pii/scrubber.ts";

/**
 * Masks PII in an analysis by the policy (docs/webhooks.md#callanalyzed): strings only; topics, keywords, disposition
 * and model stay as they are.
 */
export function scrubAnalysis(analysis: CallAnalysis, scrubber: Scrubber): CallAnalysis {
  const texts = (values: readonly string[]): string[] => values.map((value) => scrubber.text(value));
  const anything = (values: readonly unknown[]): unknown[] => values.map((value) => scrubber.json(value));
  const { summary, actionItems, objections, coaching, hallucinations, cx, customData, evidence, qa } =
    analysis;
  return {
    ...analysis,
    summary: summary === null ? null : scrubber.text(summary),
    actionItems: texts(actionItems),
    objections: anything(objections),
    coaching: anything(coaching),
    hallucinations: anything(hallucinations),
    cx: { ...cx, friction: anything(cx.friction), highlights: anything(cx.highlights) },
    customData: jsonOf(customData, scrubber),
    evidence: jsonOf(evidence, scrubber),
    qa: qa.map((entry) => ({ ...entry, evidence: scrubber.text(entry.evidence) })),
  };
}

function jsonOf(values: Readonly<Record<string, unknown>>, scrubber: Scrubber): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, scrubber.json(value)]));
}
