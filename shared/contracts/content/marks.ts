import { z } from "zod";

/**
 * What a string of a message that leaves a call is. Masking, deletion and the log's redaction all read it from here
 * (docs/operations.md#what-is-content).
 *
 * - `spoken`: said, typed or answered in the call. Masked as the organization's PII policy says, deleted with the call's
 *   content, kept out of logs.
 * - `carried`: content that its receiver needs as it is: keys, a number to dial, where a recording lies. Deleted and kept
 *   out of logs like the above, not masked.
 * - `plain`: ids, codes and names of the product or of a vendor.
 */
export type ContentMark = "spoken" | "carried" | "plain";

const MARKS = z.registry<{ readonly mark: ContentMark }>();

/** Marks a schema's value as said in the call. */
export function spoken<S extends z.ZodType>(schema: S): S {
  return marked(schema, "spoken");
}

/** Marks a schema's value as content that must arrive whole. */
export function carried<S extends z.ZodType>(schema: S): S {
  return marked(schema, "carried");
}

/** Marks a schema's value as no content. */
export function plain<S extends z.ZodType>(schema: S): S {
  return marked(schema, "plain");
}

/** The mark that was given to this very schema. */
export function markOf(schema: z.ZodType): ContentMark | undefined {
  return MARKS.get(schema)?.mark;
}

function marked<S extends z.ZodType>(schema: S, mark: ContentMark): S {
  MARKS.add(schema, { mark });
  return schema;
}
