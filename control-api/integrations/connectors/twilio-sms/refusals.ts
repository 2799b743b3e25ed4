import { z } from "zod";
import type { VendorAnswer, VendorRefusal } from "../../vendor/vendor.ts";

const refused = z.object({ code: z.number(), message: z.string() });

/** By Twilio's code; words meant for developers are replaced with ones a model can say. */
const KNOWN: Readonly<Record<number, VendorRefusal>> = {
  20003: { problem: "unauthorized" },
  20404: { problem: "not_found" },
  20429: { problem: "rate_limited" },
  21211: { problem: "rejected", words: "this is not a phone number" },
  21408: { problem: "denied", words: "messages to this country are not enabled in the account" },
  21606: { problem: "denied", words: "the sender cannot send messages to this number" },
  21608: { problem: "denied", words: "a trial account can only send to verified numbers" },
  21610: { problem: "rejected", words: "this number does not want messages: it answered STOP" },
  21614: { problem: "rejected", words: "this number is not a mobile one" },
};

export function refusalOf({ status, body }: VendorAnswer): VendorRefusal | undefined {
  if (status < 400) return undefined;
  const { data } = refused.safeParse(body);
  const known = data && KNOWN[data.code];
  return known && { words: data.message, ...known };
}
