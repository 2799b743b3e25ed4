import { z } from "zod";

/** What an agent can do in a customer's own system: `noun.verb`, with one shape whichever connector serves it. */
export interface Capability<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  /** In a title, for people. */
  readonly name: string;
  /** What it does and when to use it, for people and models. */
  readonly description: string;
  /** Changes something at the vendor: never repeated blindly, and a builder may have it confirmed first. */
  readonly isWrite: boolean;
  /** What a model fills in. */
  readonly arguments: A;
  /** What it gets back; whatever else a connector returns is dropped. */
  readonly result: R;
}

/** Keeps the types of its schemas. */
export function capability<A extends z.ZodType, R extends z.ZodType>(
  given: Capability<A, R>,
): Capability<A, R> {
  return given;
}

/** Text of somebody's, without blanks around it. */
export const text = (maxChars: number) => z.string().trim().min(1).max(maxChars);
export const email = z.email().max(254).describe("An email address");
/** Digits with a plus: what people say between them is left out. */
export const phone = z
  .string()
  .overwrite((value) => value.replace(/[\s().-]/g, ""))
  .regex(/^\+?[0-9]{5,20}$/, "a phone number, best with + and its country")
  .describe("A phone number with + and its country, for example +14155550123");
/** A moment, ISO 8601 with its offset. */
export const moment = z.iso
  .datetime({ offset: true })
  .describe("Date and time with offset, for example 2026-03-01T09:30:00+01:00");
export const timeZone = z
  .string()
  .refine(isTimeZone, "the name of a time zone, for example Europe/Berlin")
  .describe("An IANA time zone, for example Europe/Berlin");

/** An amount as its vendor writes it: decimal text, never a rounded number. */
export const money = z.object({ amount: z.string(), currency: z.string() });

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** At least one of these has to be there. */
export function anyOf<T extends string>(...keys: readonly T[]) {
  return {
    isMet: (given: Readonly<Partial<Record<T, unknown>>>) => keys.some((key) => given[key] !== undefined),
    message: `needs ${keys.join(" or ")}`,
  };
}
