import { newAgentSchema } from "@parley/shared/contracts/agents.ts";
import { z } from "zod";

/**
 * What the API's schema says of an agent's settings, as plain values: the page shows it without the schema, which
 * weighs a fifth of a page's script.
 */

/** What the API accepts at a path of an agent's settings. */
export interface FieldFacts {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The default value. */
  readonly standard?: unknown;
  /** The allowed values. */
  readonly options?: readonly string[] | undefined;
  readonly maxLength?: number | undefined;
}

/** The first part of each setting's path. */
export const SETTINGS: readonly string[] = Object.keys(newAgentSchema.shape);

/** Facts by path, in which `*` stands for a place in a list; settings without any are left out. */
export const FACTS: Readonly<Record<string, FieldFacts>> = Object.fromEntries(factsBelow(newAgentSchema, []));

function factsBelow(wrapped: z.core.$ZodType, path: readonly string[]): [string, FieldFacts][] {
  const { schema, standard } = bare(wrapped);
  const facts = factsOf(schema, standard);
  const own: [string, FieldFacts][] = Object.keys(facts).length > 0 ? [[path.join("."), facts]] : [];
  return [...own, ...partsOf(schema).flatMap(([key, part]) => factsBelow(part, [...path, key]))];
}

function factsOf(schema: z.core.$ZodType, standard: unknown): FieldFacts {
  const isPlain = typeof standard !== "object" && standard !== undefined;
  const facts: FieldFacts = {
    standard: isPlain ? standard : undefined,
    options: schema instanceof z.ZodEnum ? schema.options.map(String) : undefined,
    ...(schema instanceof z.ZodNumber ? { min: bound(schema.minValue), max: bound(schema.maxValue) } : {}),
    ...(schema instanceof z.ZodString ? { maxLength: schema.maxLength ?? undefined } : {}),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function partsOf(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape as z.core.$ZodShape);
  if (schema instanceof z.ZodArray) return [["*", schema.def.element]];
  if (!(schema instanceof z.ZodUnion)) return [];
  // Of two kinds of brain or tool with a setting of one name, the first one's facts count.
  return schema.def.options.toReversed().flatMap((option) => partsOf(bare(option).schema));
}

/** Unwraps a schema, and returns its default. */
function bare(wrapped: z.core.$ZodType): { schema: z.core.$ZodType; standard?: unknown } {
  let schema = wrapped;
  let standard: unknown;
  for (;;) {
    if (schema instanceof z.ZodDefault) {
      standard ??= schema.def.defaultValue;
      schema = schema.def.innerType;
    } else if (
      schema instanceof z.ZodPrefault ||
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodNullable
    ) {
      schema = schema.def.innerType;
    } else return { schema, standard };
  }
}

/** zod reports the safe-integer bounds where the schema sets none. */
function bound(value: number | null): number | undefined {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
}
