import { z } from "zod";
import { type ContentMark, markOf } from "./marks.ts";

/** A place in a message that can hold words. */
export interface ContentField {
  /** Names from the outside in; `[]` is any item of a list. */
  readonly path: readonly string[];
  /** Undefined: nobody has said what it is, which a test refuses. */
  readonly mark: ContentMark | undefined;
}

/**
 * Every field of a message that can hold words, or has a mark. Figures, choices of fixed words and moments in time cannot;
 * what this does not know can.
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

/** What is wrapped by `optional`, `nullable`, `default`, `catch` and their like. */
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
