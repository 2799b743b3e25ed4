import { PHONE_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import type { CarrierName as Carrier } from "@parley/shared/contracts/telephony.ts";

/** As the carriers write themselves. */
export function CarrierName({ of }: { readonly of: Carrier }) {
  return of === "loopback" ? "Simulated" : PHONE_CARRIERS[of].label;
}
