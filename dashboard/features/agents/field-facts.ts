import { newAgentSchema } from "@parley/shared/contracts/agents.ts";
import { z } from "zod";
import { numberText, wordsOf } from "./agent-labels.ts";

/** What the API accepts at a path of an agent's settings, derived from its schema. */
export interface FieldFacts {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The default value. */
  readonly standard?: unknown;
  /** The allowed values. */
  readonly options: readonly string[];
  readonly maxLength?: number | undefined;
}

export function factsOf(path: string): FieldFacts {
  let found: z.core.$ZodType | undefined = newAgentSchema;
  for (const key of path.split(".")) found = found && childOf(bare(found).schema, key);
  if (!found) return { options: [] };
  const { schema, standard } = bare(found);
  return {
    standard,
    options: schema instanceof z.ZodEnum ? schema.options.map(String) : [],
    ...(schema instanceof z.ZodNumber ? { min: bound(schema.minValue), max: bound(schema.maxValue) } : {}),
    ...(schema instanceof z.ZodString ? { maxLength: schema.maxLength ?? undefined } : {}),
  };
}

/** A number's bounds and default, in its unit. */
export function rangeText(path: string): string {
  const { min, max, standard } = factsOf(path);
  const { unit } = wordsOf(path);
  const range =
    min === undefined || max === undefined
      ? []
      : [`${numberText(min, unit)} to ${numberText(max, unit)}${unit ? ` ${unit}` : ""}`];
  const usual = typeof standard === "number" ? [`default ${numberText(standard, unit)}`] : [];
  return [...range, ...usual].join(", ");
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

function childOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as z.core.$ZodShape)[key];
  if (schema instanceof z.ZodArray) return schema.def.element;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.def.options.flatMap((option) => childOf(option, key) ?? [])[0];
}

/** zod reports the safe-integer bounds where the schema sets none. */
function bound(value: number | null): number | undefined {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
}
