import { z } from "zod";
import { VendorError } from "../vendor/vendor.ts";

/** Parses a vendor's answer. Throws `VendorError` failed when it does not match. */
export function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "its answer";
  throw new VendorError("failed", `The vendor answered in a form that is not known (${where}).`, {
    cause: parsed.error,
  });
}

/** Ids arrive as numbers or text. */
export const id = z.union([z.string(), z.number()]).transform(String);
/** Text that may be missing. */
export const maybe = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === "" ? null : value));

/** Encodes text as one path segment. Throws `VendorError` rejected for one that would change the path. */
export function segment(text: string): string {
  // Encoding would not help: an encoded dot segment leads up as well.
  if (text === "." || text === "..") throw new VendorError("rejected", `"${text}" is the id of nothing.`);
  return encodeURIComponent(text);
}
