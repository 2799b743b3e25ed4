import { z } from "zod";
import type { VendorAnswer, VendorRefusal } from "../../vendor/vendor.ts";

/** Errors of the token endpoint, which also answers 400 to an unknown app or a wrong secret. */
const noToken = z.object({ error: z.string(), error_description: z.string() });
const NOBODYS = new Set(["invalid_client", "unauthorized_client", "invalid_request", "invalid_grant"]);
const data = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
/** Error codes of a 400 that mean the record does not exist. */
const MISSING = new Set(["0x80040217", "0x80060891"]);

export function refusalOf({ status, body }: VendorAnswer): VendorRefusal | undefined {
  const token = noToken.safeParse(body).data;
  if (token && NOBODYS.has(token.error) && status < 500) {
    // The rest holds request ids and times.
    return { problem: "unauthorized", words: token.error_description.split(/[\r\n]|Trace ID/)[0] };
  }
  const refused = data.safeParse(body).data?.error;
  if (refused && MISSING.has(refused.code)) return { problem: "not_found", words: refused.message };
  return undefined;
}
