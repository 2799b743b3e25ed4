import { PHONE_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";

/** Vendors as they spell themselves, as plain values: pages show them without what else is known of them. */
export const VENDOR_NAMES: readonly (readonly [vendor: string, name: string])[] = Object.entries({
  ...SPEECH_VENDORS,
  ...PHONE_CARRIERS,
}).map(([vendor, { label }]) => [vendor, label]);
