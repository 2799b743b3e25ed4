import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { CustomField } from "@parley/shared/contracts/post-call-analysis.ts";
import { quoteIn } from "@parley/shared/quote-in.ts";
import { type Conversation, talkRatioOf } from "../conversation.ts";
import { actionItemsOf } from "./action-items.ts";
import { loadLanguage } from "./language.ts";
import { sentencesOf } from "./sentences.ts";
import { moodOf } from "./sentiment.ts";
import { keywordsOf, topicsOf } from "./topics.ts";

/** The analysis's `model`. */
const LOCAL_MODEL = "parley-local";

/**
 * Analyzes an English conversation without a model: mood, keywords, topics, action items by rule, talk ratio. What
 * rules cannot judge is null or empty, fields and criteria included.
 */
export async function analyzeLocally({
  conversation,
  settings: { customFields },
}: {
  readonly conversation: Conversation;
  readonly settings: { readonly customFields: readonly CustomField[] };
}): Promise<CallAnalysis> {
  const sentences = await sentencesOf(conversation, await loadLanguage());
  const { sentiment, sentimentScore, quote } = moodOf(sentences);
  const proof = quote === undefined ? undefined : quoteIn(conversation, quote);
  return {
    summary: null,
    sentiment,
    sentimentScore,
    disposition: null,
    actionItems: actionItemsOf(sentences),
    customData: Object.fromEntries(customFields.map(({ key }) => [key, null])),
    evidence: proof === undefined ? {} : { sentiment: proof },
    qa: [],
    objections: [],
    coaching: [],
    hallucinations: [],
    score: null,
    cx: { rating: null, friction: [], highlights: [] },
    topics: topicsOf(sentences),
    keywords: keywordsOf(sentences),
    talkRatio: await talkRatioOf(conversation),
    model: LOCAL_MODEL,
  };
}
