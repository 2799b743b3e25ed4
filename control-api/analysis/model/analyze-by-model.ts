import {
  type Asking,
  type Message,
  ModelAsker,
  repairMessages,
  ServiceError,
} from "@parley/shared/brain/model/ask-json.ts";
import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { PostCallAnalysis } from "@parley/shared/contracts/post-call-analysis.ts";
import { storableText } from "@parley/shared/contracts/storable.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { quotesIn } from "@parley/shared/quote-in.ts";
import { type Conversation, talkRatioOf } from "../conversation.ts";
import { joinMessage, partsOf, systemPrompt, transcriptMessage } from "./prompt.ts";
import { jsonSchemaOf, type Reply, readReply } from "./reply.ts";
import { salvageReply } from "./salvage.ts";

/** Transcript per request: about ten thousand tokens. An hour of conversation takes two or three parts. */
const MAX_PART_CHARS = 40_000;
/** One request each; only the beginning of a longer conversation is read. */
const MAX_PARTS = 12;
const MAX_TEXTS = 50;

interface ModelAnalysis extends Omit<Asking, "schema" | "namedBy" | "onOutcome"> {
  readonly metrics: Pick<Metrics, "analysisTokensTotal" | "analysisRequestsTotal">;
  readonly conversation: Conversation;
  readonly settings: Pick<PostCallAnalysis, "customFields" | "qaCriteria">;
}

/**
 * Analyzes a conversation by a model and checks the result against the settings and the transcript: unknown keys of
 * fields and criteria and quotes no one said are dropped, numbers are clamped. Throws `ServiceError`, and the signal's
 * reason.
 */
export async function analyzeByModel({
  conversation,
  settings,
  metrics,
  ...asking
}: ModelAnalysis): Promise<CallAnalysis> {
  const schema = jsonSchemaOf(settings);
  const asker = new ModelAsker({
    ...asking,
    schema: { name: "call_analysis", schema },
    namedBy: "the model of postCallAnalysis",
    onTokens: async (used) => {
      metrics.analysisTokensTotal.inc({ kind: "prompt" }, used.inputTokens);
      metrics.analysisTokensTotal.inc({ kind: "completion" }, used.outputTokens);
      await asking.onTokens(used);
    },
    onOutcome: (outcome) => metrics.analysisRequestsTotal.inc({ outcome }),
  });
  const system: Message = { role: "system", content: systemPrompt(settings, schema) };
  const parts = partsOf(conversation, MAX_PART_CHARS).slice(0, MAX_PARTS);
  const replies: Reply[] = [];
  for (const [index, part] of parts.entries()) {
    const message = transcriptMessage(part, { nr: index + 1, of: parts.length });
    replies.push(await replyTo([system, message], asker));
  }
  const [only] = replies;
  const reply = only && replies.length === 1 ? only : await replyTo([system, joinMessage(replies)], asker);
  return toAnalysis(reply, { conversation, settings, model: asking.model });
}

/** Asks once more when an answer is malformed; salvages what it can from the second one, or else from the first. */
async function replyTo(messages: readonly Message[], asker: ModelAsker): Promise<Reply> {
  const first = await asker.ask(messages);
  const read = readReply(first);
  if ("reply" in read) return read.reply;
  const second = await asker.ask([...messages, ...repairMessages(first, read.wrong)]);
  const again = readReply(second);
  const reply = "reply" in again ? again.reply : (salvageReply(second) ?? salvageReply(first));
  if (!reply)
    throw new ServiceError("The model answered twice with something that is no analysis.", {
      isFinal: false,
    });
  return reply;
}

interface Subject extends Pick<ModelAnalysis, "conversation" | "settings"> {
  readonly model: string;
}

async function toAnalysis(reply: Reply, { conversation, settings, model }: Subject): Promise<CallAnalysis> {
  const quoted = quotesIn(conversation);
  const proofOf = (quote: string | null | undefined): string | undefined =>
    quote == null ? undefined : quoted(quote);
  const fields = settings.customFields.map(({ key }) => ({ key, found: ownOf(reply.fields, key) }));
  const judgments = [
    { key: "sentiment", found: { value: reply.sentiment, quote: reply.sentimentQuote } },
    { key: "disposition", found: { value: reply.disposition, quote: reply.dispositionQuote } },
  ];
  const proven = [...judgments, ...fields].flatMap(({ key, found }) => {
    const proof = isEmpty(found?.value) ? undefined : proofOf(found?.quote);
    return proof === undefined ? [] : [[key, proof] as const];
  });
  return {
    summary: storableOrNull(reply.summary),
    sentiment: reply.sentiment,
    sentimentScore: clamped(reply.sentimentScore, -1, 1),
    disposition: storableOrNull(reply.disposition),
    actionItems: listed(reply.actionItems),
    customData: Object.fromEntries(fields.map(({ key, found }) => [key, fieldValue(found?.value)])),
    evidence: Object.fromEntries(proven),
    qa: settings.qaCriteria.flatMap(({ key }) => {
      const judged = ownOf(reply.criteria, key);
      return judged ? [{ key, met: judged.met, evidence: proofOf(judged.quote) ?? "" }] : [];
    }),
    objections: listed(reply.objections),
    coaching: listed(reply.coaching),
    hallucinations: listed(reply.hallucinations),
    score: clamped(reply.score, 0, 100),
    cx: {
      rating: clamped(reply.cx.rating, 1, 5),
      friction: listed(reply.cx.friction),
      highlights: listed(reply.cx.highlights),
    },
    topics: listed(reply.topics),
    keywords: listed(reply.keywords),
    talkRatio: await talkRatioOf(conversation),
    model,
  };
}

function ownOf<T>(entries: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function fieldValue(value: Reply["fields"][string]["value"] | undefined) {
  return typeof value === "string" ? storableOrNull(value) : (value ?? null);
}

function clamped(value: number | null, least: number, most: number): number | null {
  return value === null ? null : Math.min(most, Math.max(least, value));
}

/** Models write NUL and halves of characters, which cannot be stored. */
function storableOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

function listed(values: readonly string[]): string[] {
  return values.slice(0, MAX_TEXTS).map(storableText);
}
