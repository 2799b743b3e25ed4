import { jsonIn } from "@parley/shared/brain/model/ask-json.ts";
import type { PostCallAnalysis } from "@parley/shared/contracts/post-call-analysis.ts";
import { z } from "zod";

/** The schema of a model's reply: the analysis without what Parley knows itself. */

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
  sentiment: z.enum(["positive", "neutral", "negative"]).nullable(),
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

/** The usable part of a malformed reply; undefined when it is not an object. */
export function salvageReply(content: string): Reply | undefined {
  const json = jsonIn(content);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const part = <T>(schema: z.ZodType<T>, value: unknown, otherwise: T): T => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : otherwise;
  };
  const of = (name: string): unknown => Reflect.get(json, name);
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
  const entries = <T>(value: unknown, schema: z.ZodType<T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(Object(value)).flatMap(([key, entry]) => {
        const parsed = schema.safeParse(entry);
        return parsed.success ? [[key, parsed.data]] : [];
      }),
    );
  const cx = Object(of("cx"));
  return {
    summary: part(text, of("summary"), null),
    sentiment: part(judgmentShape.sentiment, of("sentiment"), null),
    sentimentScore: part(number, of("sentimentScore"), null),
    sentimentQuote: part(text, of("sentimentQuote"), null),
    disposition: part(text, of("disposition"), null),
    dispositionQuote: part(text, of("dispositionQuote"), null),
    score: part(number, of("score"), null),
    actionItems: list(of("actionItems")),
    objections: list(of("objections")),
    coaching: list(of("coaching")),
    hallucinations: list(of("hallucinations")),
    topics: list(of("topics")),
    keywords: list(of("keywords")),
    cx: {
      rating: part(number, Reflect.get(cx, "rating"), null),
      friction: list(Reflect.get(cx, "friction")),
      highlights: list(Reflect.get(cx, "highlights")),
    },
    fields: entries(of("fields"), foundSchema),
    criteria: entries(of("criteria"), metSchema),
  };
}
