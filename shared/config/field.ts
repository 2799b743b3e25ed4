import { z } from "zod";
import { parseUrl } from "../urls.ts";

/** One environment variable: how it is read, and what the table in docs/configuration.md says of it. */
export interface Field<T> {
  readonly schema: z.ZodType<T>;
  readonly description: string;
  /** What counts when it is not set; undefined: nothing. */
  readonly fallback?: string;
  /** Its value never appears in a message. */
  readonly secret?: boolean;
}

export const text = z.string().min(1);
/** An address with one of these protocols. */
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

/** Declares a variable that may be missing. */
export function optional<T>(schema: z.ZodType<T>, description: string, extra: { secret?: boolean } = {}) {
  return { schema: schema.optional(), description, ...extra };
}

/** Declares a variable with a standard value. */
export function standard<T>(schema: z.ZodType<T>, fallback: string, description: string) {
  return { schema, description, fallback };
}
