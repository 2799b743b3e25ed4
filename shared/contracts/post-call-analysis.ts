import { z } from "zod";

/** The analysis of a finished call: the `postCallAnalysis` of an agent. */

const MAX_CUSTOM_FIELDS = 30;
const MAX_QA_CRITERIA = 30;

const FIELD_TYPES = ["string", "number", "boolean", "date"] as const;

const key = z.string().trim().max(64).default("");
const description = z.string().trim().max(1_000).default("");

/** False for a blank key, whose entry is dropped. */
function hasKey(entry: { readonly key: string }): boolean {
  return entry.key !== "";
}

function isEachKeyOnce(entries: readonly { readonly key: string }[]): boolean {
  const keys = entries.filter(hasKey).map((entry) => entry.key);
  return new Set(keys).size === keys.length;
}

const ONCE = { message: "each key once" };

/** A value to extract from a conversation. */
const customFieldSchema = z.object({
  /** Key of the value: `analysis.customData[key]`. */
  key,
  /** For display only; never used to look anything up. */
  label: z.string().trim().max(128).default(""),
  /** A hint for readers of the value, which is not coerced to it; whatever else stands here is `string`. */
  type: z.enum(FIELD_TYPES).catch("string"),
  /** All that the model is told of the field besides its key. */
  description,
  /** A rule of the PII policy, or the name of its pattern: matches go into the vault, not into the analysis. */
  piiRule: z.string().trim().min(1).max(64).optional(),
});
export type CustomField = z.infer<typeof customFieldSchema>;

/** A criterion by which a conversation is judged. */
const qaCriterionSchema = z.object({ key, description });

export const postCallAnalysisSchema = z.object({
  enabled: z.boolean().default(false),
  /** A model of the agent's own service, or of the operator's; absent: Parley's local analyzer does what it can. */
  model: z.string().trim().min(1).max(128).optional(),
  /** Keeps the first 30 and silently drops the rest, then drops entries with a blank key. */
  customFields: z
    .array(customFieldSchema)
    .max(1_000)
    .overwrite((fields) => fields.slice(0, MAX_CUSTOM_FIELDS).filter(hasKey))
    .refine(isEachKeyOnce, ONCE)
    .default([]),
  /** At most 30; more are dropped silently. */
  qaCriteria: z
    .array(qaCriterionSchema)
    .max(1_000)
    .overwrite((criteria) => criteria.slice(0, MAX_QA_CRITERIA).filter(hasKey))
    .refine(isEachKeyOnce, ONCE)
    .default([]),
});
export type PostCallAnalysis = z.infer<typeof postCallAnalysisSchema>;
