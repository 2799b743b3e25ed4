import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** What an organization does not want to have kept of what is said in its calls. */

export const PII_RULES = ["card_number", "email", "phone", "national_id"] as const;
export type PiiRule = (typeof PII_RULES)[number];

const mask = z.string().trim().min(1).max(64).regex(/^\D*$/, "a mask without digits");

/**
 * Not a regular expression: `#` is a digit, `@` a letter, `*` either of them, everything else itself in either
 * case. Between two of them a space, dash or dot may be said. That is enough for numbers of customers, cases and
 * policies, has a known length, and takes linear time whatever is said.
 */
const pattern = z
  .string()
  .trim()
  .min(3)
  .max(64)
  .refine((text) => text.replaceAll(/[\s.-]/g, "").length >= 3, "at least three characters besides spaces");

export const piiPolicySchema = z.strictObject({
  /** Where numbers without a country code are from (ISO 3166-1 alpha-2). */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "two capital letters, for example US")
    .default("US"),
  rules: z
    .array(z.strictObject({ rule: z.enum(PII_RULES), mask: mask.optional() }))
    .max(PII_RULES.length)
    .refine((rules) => new Set(rules.map(({ rule }) => rule)).size === rules.length, "each rule once"),
  patterns: z
    .array(z.strictObject({ name: z.string().trim().min(1).max(64), pattern, mask: mask.optional() }))
    .max(20)
    .default([]),
});
export type PiiPolicy = z.infer<typeof piiPolicySchema>;

/** The default masks card numbers. */
export const DEFAULT_PII_POLICY: PiiPolicy = {
  country: "US",
  rules: [{ rule: "card_number" }],
  patterns: [],
};

export const piiPolicyResponseSchema = wrapped(piiPolicySchema);

/** What a policy would make of a text; nothing of it is kept. */
export const tryPiiPolicySchema = z.strictObject({ policy: piiPolicySchema, text: z.string().max(4_000) });
export const triedPiiPolicyResponseSchema = wrapped(z.object({ masked: z.string() }));
