import { PHONE_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import type { CarrierName as Carrier } from "@parley/shared/contracts/telephony.ts";

/** The carrier's own spelling. */
export function CarrierName({ of }: { readonly of: Carrier }) {
  return of === "loopback" ? "Simulated" : PHONE_CARRIERS[of].label;
}
