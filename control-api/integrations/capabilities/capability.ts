import { z } from "zod";

/** What an agent can do in a customer's system: `noun.verb`, of the same shape for every connector. */
export interface Capability<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  /** A title, for people. */
  readonly name: string;
  /** Purpose and when to use it, for people and models. */
  readonly description: string;
  /** Changes data at the vendor: never retried blindly, and builders may require confirmation. */
  readonly isWrite: boolean;
  /** The arguments a model fills in. */
  readonly arguments: A;
  /** The result for the model; other fields that a connector returns are dropped. */
  readonly result: R;
}

/** Preserves the types of its schemas. */
export function capability<A extends z.ZodType, R extends z.ZodType>(
  given: Capability<A, R>,
): Capability<A, R> {
  return given;
}

/** Trimmed text. */
export const text = (maxChars: number) => z.string().trim().min(1).max(maxChars);
export const email = z.email().max(254).describe("An email address");
/** Digits, optionally after a plus; written separators are dropped. */
export const phone = z
  .string()
  .overwrite((value) => value.replace(/[\s().-]/g, ""))
  .regex(/^\+?[0-9]{5,20}$/, "a phone number, best with + and its country")
  .describe("A phone number with + and its country, for example +14155550123");
/** An ISO 8601 time with offset. */
export const moment = z.iso
  .datetime({ offset: true })
  .describe("Date and time with offset, for example 2026-03-01T09:30:00+01:00");
export const timeZone = z
  .string()
  .refine(isTimeZone, "the name of a time zone, for example Europe/Berlin")
  .describe("An IANA time zone, for example Europe/Berlin");

/** An amount in the vendor's notation: decimal text, never a rounded number. */
export const money = z.object({ amount: z.string(), currency: z.string() });

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Requires at least one of these keys. */
export function anyOf<T extends string>(...keys: readonly T[]) {
  return {
    isMet: (given: Readonly<Partial<Record<T, unknown>>>) => keys.some((key) => given[key] !== undefined),
    message: `needs ${keys.join(" or ")}`,
  };
}
