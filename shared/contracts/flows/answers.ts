import { z } from "zod";

/** Valid answers to a flow's question (docs/flows.md#answers). */

const label = z.string().trim().min(1).max(200);

const optionSchema = z.object({
  /** The value stored in the variable. */
  value: z.string().trim().min(1).max(200),
  /** Other words for this option. */
  synonyms: z.array(label).max(30).default([]),
});

const isoDate = z.iso.date();

export const answerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), maxChars: z.int().min(1).max(4_000).default(1_000) }),
  z.object({
    type: z.literal("choice"),
    options: z
      .array(optionSchema)
      .min(1)
      .max(30)
      .refine(
        (options) => new Set(options.map(({ value }) => value.toLowerCase())).size === options.length,
        "options with different values",
      ),
  }),
  z
    .object({
      type: z.literal("number"),
      min: z.number().optional(),
      max: z.number().optional(),
      /** Accepts whole numbers only. */
      whole: z.boolean().default(false),
    })
    .refine(
      ({ min, max }) => min === undefined || max === undefined || min <= max,
      "min that is not above max",
    ),
  z.object({
    type: z.literal("date"),
    earliest: isoDate.optional(),
    latest: isoDate.optional(),
    /** Refuses days before the day of the call. */
    future: z.boolean().default(false),
  }),
  z.object({ type: z.literal("email") }),
  z.object({ type: z.literal("phone") }),
  z.object({ type: z.literal("yes_no") }),
]);
export type AnswerType = z.infer<typeof answerSchema>;
