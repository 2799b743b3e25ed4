import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { Sentence } from "./sentences.ts";

/** Weaker than this are "please" and "I want": politeness is no mood. */
const WEAK = 0.2;
/** Scores nearer to zero than this are called neutral. */
const NEUTRAL = 0.15;

interface Mood {
  readonly sentiment: CallAnalysis["sentiment"];
  readonly sentimentScore: number;
  /** The sentence that says it most plainly; undefined of a neutral one. */
  readonly quote: string | undefined;
}

/** How the caller was: the mean of what they said with feeling, later sentences counting up to twice as much. */
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
