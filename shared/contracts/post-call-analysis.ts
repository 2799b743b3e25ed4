import { z } from "zod";

/** What is made of a call once it is over: the `postCallAnalysis` of an agent. */

const MAX_CUSTOM_FIELDS = 30;
const MAX_QA_CRITERIA = 30;

const FIELD_TYPES = ["string", "number", "boolean", "date"] as const;
type FieldType = (typeof FIELD_TYPES)[number];

const key = z.string().trim().max(64).default("");
const description = z.string().trim().max(1_000).default("");

/** Blank: the entry is dropped. */
function hasKey(entry: { readonly key: string }): boolean {
  return entry.key !== "";
}

function isEachKeyOnce(entries: readonly { readonly key: string }[]): boolean {
  const keys = entries.filter(hasKey).map((entry) => entry.key);
  return new Set(keys).size === keys.length;
}

const ONCE = { message: "each key once" };

/** A value to be found in a conversation. */
const customFieldSchema = z.object({
  /** What the value is read by: `analysis.customData[key]`. */
  key,
  /** For people; never used to find anything. */
  label: z.string().trim().max(128).default(""),
  /** A hint for who reads the value, which is not made to fit it; an unknown type is `string`. */
  type: z
    .string()
    .max(32)
    .default("string")
    .overwrite((type) => (isFieldType(type) ? type : "string")),
  /** All that the model is told of the field besides its key. */
  description,
  /** A rule, or the name of a pattern, of the PII policy: what it finds goes into the vault, not into the analysis. */
  piiRule: z.string().trim().min(1).max(64).optional(),
});
export type CustomField = z.infer<typeof customFieldSchema>;

/** What a conversation is judged by. */
const qaCriterionSchema = z.object({ key, description });

export const postCallAnalysisSchema = z.object({
  enabled: z.boolean().default(false),
  /** A model of the agent's own service, or of the operator's; without one Parley's local analyzer does what it can. */
  model: z.string().trim().min(1).max(128).optional(),
  /** At most 30 as they come, then those with a blank key are dropped; more are dropped silently. */
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

function isFieldType(type: string): type is FieldType {
  return (FIELD_TYPES as readonly string[]).includes(type);
}
