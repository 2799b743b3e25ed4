import { z } from "zod";
import { VendorError } from "../vendor/vendor.ts";

/** What is needed of a vendor's answer. Throws `VendorError` failed when that is not in it. */
export function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "its answer";
  throw new VendorError("failed", `The vendor answered in a form that is not known (${where}).`, {
    cause: parsed.error,
  });
}

/** Ids come as numbers or as text. */
export const id = z.union([z.string(), z.number()]).transform(String);
/** Text that may be missing. */
export const maybe = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === "" ? null : value));

/** One path segment of somebody's text. Throws `VendorError` rejected for one that would lead elsewhere. */
export function segment(text: string): string {
  // Encoded, they lead up as well.
  if (text === "." || text === "..") throw new VendorError("rejected", `"${text}" is the id of nothing.`);
  return encodeURIComponent(text);
}
