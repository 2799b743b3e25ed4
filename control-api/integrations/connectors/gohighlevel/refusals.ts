import { z } from "zod";
import type { VendorAnswer, VendorRefusal } from "../../vendor/vendor.ts";

const refused = z.object({ message: z.string() });

/** What a scope is missing for is refused with 401, as a token that is nobody's; a contact that is missing with 400. */
export function refusalOf({ status, body }: VendorAnswer): VendorRefusal | undefined {
  const { data } = refused.safeParse(body);
  if (!data) return undefined;
  const { message: words } = data;
  if (status === 401 && /not authorized for this scope/i.test(words)) return { problem: "denied", words };
  if (status === 400 && /not found/i.test(words)) return { problem: "not_found", words };
  return undefined;
}
