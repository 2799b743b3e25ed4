import { z } from "zod";
import { type ContentMark, markOf } from "./marks.ts";

/** A field of a message that can hold words. */
export interface ContentField {
  /** Field names from the outermost in; `[]` is any item of a list. */
  readonly path: readonly string[];
  /** Undefined: the field has no mark yet, which a test rejects. */
  readonly mark: ContentMark | undefined;
}

/**
 * Every field of a message that can hold words or has a mark. Numbers, fixed choices, and times cannot hold words;
 * any unknown schema can.
 */
export function contentFields(schema: z.ZodType, path: readonly string[] = []): ContentField[] {
  const mark = markOf(schema);
  if (mark !== undefined) return [{ path, mark }];
  if (cannotHoldWords(schema)) return [];
  const inner = innerOf(schema);
  if (inner) return contentFields(inner, path);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => contentFields(field, [...path, name]));
  if (schema instanceof z.ZodArray) return contentFields(schema.element as z.ZodType, [...path, "[]"]);
  return [{ path, mark: undefined }];
}

/** The schema inside `optional`, `nullable`, `default`, `catch`, and the like. */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly;
  return isWrapper ? (schema.def.innerType as z.ZodType) : undefined;
}

function cannotHoldWords(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe)
    return cannotHoldWords(schema.in as z.ZodType) && cannotHoldWords(schema.out as z.ZodType);
  return (
    schema instanceof z.ZodNumber ||
    schema instanceof z.ZodBoolean ||
    schema instanceof z.ZodEnum ||
    schema instanceof z.ZodLiteral ||
    schema instanceof z.ZodNull ||
    schema instanceof z.ZodISODateTime
  );
}
