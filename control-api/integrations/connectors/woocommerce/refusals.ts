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
    const words =
      "there is no store at this address: WooCommerce must be active, and permalinks must not be Plain";
    return { problem: "failed", words };
  }
  // A write-only key gets a 401, like an invalid one.
  if (code === "woocommerce_rest_authentication_error" && /permission/i.test(message)) {
    return { problem: "denied", words: message };
  }
  return undefined;
}
