import { z } from "zod";
import type { VendorAnswer, VendorRefusal } from "../../vendor/vendor.ts";

const refused = z.object({ code: z.string(), message: z.string() });

/** WooCommerce's error code is more precise than its status. */
export function refusalOf({ status, body }: VendorAnswer): VendorRefusal | undefined {
  if (status < 400) return undefined;
  const { data } = refused.safeParse(body);
  if (!data) return undefined;
  const { code, message } = data;
  if (code === "rest_no_route") {
    const words = "no store is at this address: WooCommerce has to be active, and permalinks not Plain";
    return { problem: "failed", words };
  }
  // A write-only key gets a 401, like an invalid one.
  if (code === "woocommerce_rest_authentication_error" && /permission/i.test(message)) {
    return { problem: "denied", words: message };
  }
  return undefined;
}
