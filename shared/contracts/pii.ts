import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** What an organization does not want kept of what is said in its calls. */

export const PII_RULES = ["card_number", "email", "phone", "national_id"] as const;
export type PiiRule = (typeof PII_RULES)[number];

const mask = z.string().trim().min(1).max(64).regex(/^\D*$/, "a mask without digits");

/**
 * Not a regular expression: `#` is a digit, `@` a letter, `*` either, and everything else is literal in either letter
 * case. A space, dash, or dot may be said between any two. This suffices for customer, case, and policy numbers, has
 * a known length, and takes linear time on any input.
 */
const pattern = z
  .string()
  .trim()
  .min(3)
  .max(64)
  .refine((text) => text.replaceAll(/[\s.-]/g, "").length >= 3, "at least three characters besides spaces");

export const piiPolicySchema = z.strictObject({
  /** Country of numbers without a country code (ISO 3166-1 alpha-2). */
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

/** Tries a policy on a text; nothing is stored. */
export const tryPiiPolicySchema = z.strictObject({ policy: piiPolicySchema, text: z.string().max(4_000) });
export const triedPiiPolicyResponseSchema = wrapped(z.object({ masked: z.string() }));
