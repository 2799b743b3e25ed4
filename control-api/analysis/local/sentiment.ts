import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { Sentence } from "./sentences.ts";

/** "please" and "I want" score below this: politeness is not a mood. */
const WEAK = 0.2;
/** Scores closer to zero than this count as neutral. */
const NEUTRAL = 0.15;

interface Mood {
  readonly sentiment: CallAnalysis["sentiment"];
  readonly sentimentScore: number;
  /** The sentence that shows the mood best; undefined if neutral. */
  readonly quote: string | undefined;
}

/** The caller's mood: the mean of their emotional sentences, later ones weighted up to twice as much. */
export function moodOf(sentences: readonly Sentence[]): Mood {
  const felt = sentences
    .filter(({ role }) => role === "user")
    .map((sentence, index, all) => ({ ...sentence, weight: 1 + index / Math.max(1, all.length - 1) }))
    .filter(({ sentiment }) => Math.abs(sentiment) > WEAK);
  const weight = felt.reduce((sum, each) => sum + each.weight, 0);
  const sum = felt.reduce((total, each) => total + each.sentiment * each.weight, 0);
  const score = weight === 0 ? 0 : Math.max(-1, Math.min(1, sum / weight));
  const sentimentScore = Math.round(score * 100) / 100;
  if (Math.abs(score) < NEUTRAL) return { sentiment: "neutral", sentimentScore, quote: undefined };
  const sign = Math.sign(score);
  const strongest = felt.reduce((best, each) =>
    sign * each.sentiment > sign * best.sentiment ? each : best,
  );
  return { sentiment: sign > 0 ? "positive" : "negative", sentimentScore, quote: strongest.text };
}
