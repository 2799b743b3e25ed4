import { z } from "zod";
import { contentFields, innerOf } from "./fields.ts";
import { markOf } from "./marks.ts";

/** How spoken values are masked. */
export interface Masking {
  text(text: string): string;
  /** Masks a value of unknown shape, such as a tool's result. */
  json(value: unknown): unknown;
}

/** Returns a message with its spoken values masked; a message without any is returned unchanged. */
export type Masker = <T>(message: T, masking: Masking) => T;

/** The masker for messages of a schema, built once: it masks the frames of a live call many times a second. */
export function maskerOf(schema: z.ZodType): Masker {
  const mask = maskOf(schema);
  return (message, masking) => mask(message, masking) as typeof message;
}

type Mask = (value: unknown, masking: Masking) => unknown;
const asItIs: Mask = (value) => value;

function maskOf(schema: z.ZodType): Mask {
  if (markOf(schema) === "spoken") return maskValue;
  if (!contentFields(schema).some(({ mark }) => mark === "spoken")) return asItIs;
  const inner = innerOf(schema);
  if (inner) return maskOf(inner);
  if (schema instanceof z.ZodArray) {
    const maskItem = maskOf(schema.element as z.ZodType);
    return (value, masking) =>
      Array.isArray(value) ? value.map((item: unknown) => maskItem(item, masking)) : value;
  }
  if (schema instanceof z.ZodObject) return maskFields(schema);
  throw new Error("only objects, lists and their like can have spoken fields");
}

function maskFields(schema: z.ZodObject): Mask {
  const fields = Object.entries(schema.shape)
    .map(([name, field]) => [name, maskOf(field as z.ZodType)] as const)
    .filter(([, mask]) => mask !== asItIs);
  return (value, masking) => {
    if (typeof value !== "object" || value === null) return value;
    const masked: Record<string, unknown> = { ...value };
    for (const [name, mask] of fields) if (name in masked) masked[name] = mask(masked[name], masking);
    return masked;
  };
}

function maskValue(value: unknown, masking: Masking): unknown {
  return typeof value === "string" ? masking.text(value) : masking.json(value);
}
