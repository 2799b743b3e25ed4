import { jsonIn } from "@parley/shared/brain/model/ask-json.ts";
import type { PostCallAnalysis } from "@parley/shared/contracts/post-call-analysis.ts";
import { z } from "zod";

/** The schema of a model's reply: the analysis without what Parley knows itself. */

export const SENTIMENTS = ["positive", "neutral", "negative"] as const;

const texts = z.array(z.string());
const text = z.string().nullable();
/** How a service may write any number: a number or null. */
const number = z.number().nullable();

const foundSchema = z.object({
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  /** Verbatim from the transcript. */
  quote: text,
});
const metSchema = z.object({ met: z.boolean(), quote: text });

const judgmentShape = {
  summary: text,
  sentiment: z.enum(SENTIMENTS).nullable(),
  sentimentScore: number,
  sentimentQuote: text,
  disposition: text,
  dispositionQuote: text,
  score: number,
  actionItems: texts,
  objections: texts,
  coaching: texts,
  hallucinations: texts,
  topics: texts,
  keywords: texts,
  cx: z.object({ rating: number, friction: texts, highlights: texts }),
};

const replySchema = z.object({
  ...judgmentShape,
  /** Keyed by field. */
  fields: z.record(z.string(), foundSchema),
  /** Keyed by criterion. */
  criteria: z.record(z.string(), metSchema),
});
export type Reply = z.infer<typeof replySchema>;
export const REPLY_KEYS: readonly string[] = Object.keys(replySchema.shape);

type Wanted = Pick<PostCallAnalysis, "customFields" | "qaCriteria">;

/** The JSON schema for the service: every key required, no others allowed, as strict mode demands. */
export function jsonSchemaOf({ customFields, qaCriteria }: Wanted): object {
  const strict = z.strictObject({
    ...judgmentShape,
    cx: z.strictObject(judgmentShape.cx.shape),
    fields: z.strictObject(
      Object.fromEntries(customFields.map(({ key }) => [key, z.strictObject(foundSchema.shape)])),
    ),
    criteria: z.strictObject(
      Object.fromEntries(qaCriteria.map(({ key }) => [key, z.strictObject(metSchema.shape)])),
    ),
  });
  const { $schema: _, ...schema } = z.toJSONSchema(strict);
  return schema;
}

/** The parsed reply, or the fault in the words the model is told. */
export function readReply(content: string): { readonly reply: Reply } | { readonly wrong: string } {
  const json = jsonIn(content);
  if (json === undefined) return { wrong: "it is not JSON" };
  const parsed = replySchema.safeParse(json);
  return parsed.success ? { reply: parsed.data } : { wrong: z.prettifyError(parsed.error).slice(0, 2_000) };
}
