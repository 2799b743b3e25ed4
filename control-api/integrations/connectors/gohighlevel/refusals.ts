import { z } from "zod";
import type { VendorAnswer, VendorRefusal } from "../../vendor/vendor.ts";

const refused = z.object({ message: z.string() });

/** A missing scope is a 401, like an invalid token; a missing contact is a 400. */
export function refusalOf({ status, body }: VendorAnswer): VendorRefusal | undefined {
  const { data } = refused.safeParse(body);
  if (!data) return undefined;
  const { message: words } = data;
  if (status === 401 && /not authorized for this scope/i.test(words)) return { problem: "denied", words };
  if (status === 400 && /not found/i.test(words)) return { problem: "not_found", words };
  return undefined;
}
