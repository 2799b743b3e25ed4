import { z } from "zod";
import { parseUrl } from "../urls.ts";

/** One environment variable: how it is read, and its description in the table of docs/configuration.md. */
export interface Field<T> {
  readonly schema: z.ZodType<T>;
  readonly description: string;
  /** The value when the variable is not set; undefined: none. */
  readonly fallback?: string;
  /** True when the value must never appear in a message. */
  readonly secret?: boolean;
}

export const text = z.string().min(1);
/** A URL with one of these protocols. */
export const url = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (value) =>
        protocols.some((protocol) => value.startsWith(`${protocol}://`)) && parseUrl(value) !== undefined,
      {
        message: `a URL that starts with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`,
      },
    );
export const http = url(["http", "https"]);

/** A whole number within bounds. */
export function whole(expected: string, min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: expected })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { message: expected });
}

/** Declares a variable that may be missing. */
export function optional<T>(schema: z.ZodType<T>, description: string, extra: { secret?: boolean } = {}) {
  return { schema: schema.optional(), description, ...extra };
}

/** Declares a variable with a default. */
export function standard<T>(schema: z.ZodType<T>, fallback: string, description: string) {
  return { schema, description, fallback };
}
