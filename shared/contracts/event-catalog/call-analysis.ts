import { z } from "zod";
import { about } from "./fields.ts";
import { SENTIMENTS } from "./values.ts";

/** The analysis of a call: the `analysis` of call.analyzed. */
export const callAnalysis = z.object({
  summary: about(z.string().nullable(), "the call in a few sentences"),
  sentiment: about(z.enum(["positive", "neutral", "negative"]).nullable(), "how the caller was", SENTIMENTS),
  sentimentScore: about(z.number().min(-1).max(1).nullable(), "the same from -1 to 1"),
  disposition: about(z.string().nullable(), "what came of the call"),
  actionItems: about(z.array(z.string()), "what is to be done"),
  customData: about(
    z.record(z.string(), z.unknown()),
    "by the `key` of each custom field; a key may be missing, and a value may have another type than the field",
  ),
  evidence: about(z.record(z.string(), z.unknown()), "by the same keys: where the transcript says so"),
  qa: about(
    z.array(
      z.object({
        key: about(z.string(), "the criterion"),
        met: about(z.boolean(), "whether it was met"),
        evidence: about(z.string(), "where the transcript says so"),
      }),
    ),
    "an entry for each criterion; empty without a rubric",
  ),
  objections: about(z.array(z.unknown()), "what the caller objected to"),
  coaching: about(z.array(z.unknown()), "what the agent could do better"),
  hallucinations: about(z.array(z.unknown()), "what the agent made up"),
  score: about(z.number().min(0).max(100).nullable(), "how good the call was, 0 to 100"),
  cx: about(
    z.object({
      rating: about(z.unknown(), "as the model gave it"),
      friction: about(z.array(z.unknown()), "what was tiresome"),
      highlights: about(z.array(z.unknown()), "what went well"),
    }),
    "the caller's experience",
  ),
  topics: about(z.array(z.string()), "what it was about"),
  keywords: about(z.array(z.string()), "words that stood out"),
  talkRatio: about(
    z.object({
      agentWords: about(z.int(), "words of the agent"),
      customerWords: about(z.int(), "words of the caller"),
      agentTurns: about(z.int(), "turns of the agent"),
      customerTurns: about(z.int(), "turns of the caller"),
    }),
    "who spoke how much",
  ),
  model: about(z.string(), "the model that analyzed it; `parley-local` is Parley's own analyzer"),
});
export type CallAnalysis = z.infer<typeof callAnalysis>;

/** Personal data of a call held by the vault: the `piiCollected` of call.analyzed. */
export const collectedPii = z.object({
  id: about(z.string(), "of what was kept"),
  ruleSlug: about(z.string(), "the rule of the PII policy"),
  fieldKey: about(z.string().nullable(), "the custom field it belongs to"),
  source: about(z.string(), "where it was found"),
  expiresAt: about(z.string(), "when it is deleted"),
  collected: about(z.literal(true), "always true"),
});
export type CollectedPii = z.infer<typeof collectedPii>;
