import { z } from "zod";

/**
 * The kind of content in a string of a message that leaves a call. Masking, deletion, and the log's redaction all read
 * the mark from here (docs/operations.md#what-is-content).
 *
 * - `spoken`: said, typed, or answered in the call. Masked as the organization's PII policy says, deleted with the
 *   call's content, kept out of logs.
 * - `carried`: content that its receiver needs unmasked: keys, a number to dial, a recording's location. Deleted and
 *   kept out of logs like `spoken`, but not masked.
 * - `plain`: ids, codes, and names of the product or of a vendor.
 */
export type ContentMark = "spoken" | "carried" | "plain";

const MARKS = z.registry<{ readonly mark: ContentMark }>();

/** Marks a schema's value as said in the call. */
export function spoken<S extends z.ZodType>(schema: S): S {
  return marked(schema, "spoken");
}

/** Marks a schema's value as content that must arrive unmasked. */
export function carried<S extends z.ZodType>(schema: S): S {
  return marked(schema, "carried");
}

/** Marks a schema's value as not content. */
export function plain<S extends z.ZodType>(schema: S): S {
  return marked(schema, "plain");
}

/** The mark of this very schema. */
export function markOf(schema: z.ZodType): ContentMark | undefined {
  return MARKS.get(schema)?.mark;
}

function marked<S extends z.ZodType>(schema: S, mark: ContentMark): S {
  MARKS.add(schema, { mark });
  return schema;
}
