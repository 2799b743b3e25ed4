import { z } from "zod";
import type { VendorAnswer, VendorProblem, VendorRefusal } from "../../vendor/vendor.ts";

const refused = z.array(z.object({ message: z.string(), errorCode: z.string() })).min(1);

const PROBLEMS: Readonly<Record<string, VendorProblem>> = {
  INVALID_SESSION_ID: "unauthorized",
  REQUEST_LIMIT_EXCEEDED: "rate_limited",
  SERVER_UNAVAILABLE: "failed",
  INSUFFICIENT_ACCESS_OR_READONLY: "denied",
  INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY: "denied",
  API_DISABLED_FOR_ORG: "denied",
  ENTITY_IS_DELETED: "not_found",
  MALFORMED_ID: "not_found",
  INVALID_CROSS_REFERENCE_KEY: "not_found",
};

/** Codes say more than statuses: the daily limit is a 403, a deleted contact a 400. */
export function refusalOf({ body }: VendorAnswer): VendorRefusal | undefined {
  const [first] = refused.safeParse(body).data ?? [];
  const problem = PROBLEMS[first?.errorCode ?? ""];
  return problem === undefined ? undefined : { problem, words: first?.message };
}
