import { z } from "zod";

/** A variable's name, as used in `{name}`. */
export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "a name of letters, digits and _, at most 64");

const COMPARISONS = [
  "equals",
  "not_equals",
  "contains",
  "greater",
  "less",
  "at_least",
  "at_most",
  "exists",
  "missing",
] as const;

const testSchema = z
  .object({
    variable: variableName,
    is: z.enum(COMPARISONS),
    /**
     * Compared as a number if both sides are numbers, else as text without regard to letter case. `{name}` is filled
     * in.
     */
    value: z.string().max(1_000).optional(),
  })
  .refine(({ is, value }) => is === "exists" || is === "missing" || value !== undefined, {
    path: ["value"],
    message: "required unless it is exists or missing",
  });

/** The condition under which an edge is taken. */
export const conditionSchema = z.object({
  match: z.enum(["all", "any"]).default("all"),
  tests: z.array(testSchema).min(1).max(20),
});
export type FlowCondition = z.infer<typeof conditionSchema>;
