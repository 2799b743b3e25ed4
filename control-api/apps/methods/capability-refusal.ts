import { BridgeError, type BridgeErrorCode } from "@parley/platform/wire/errors.ts";
import type { CapabilityError, CapabilityErrorCode } from "../../integrations/capability-error.ts";

const CODES: Readonly<Record<CapabilityErrorCode, BridgeErrorCode>> = {
  connection_missing: "not_found",
  not_found: "not_found",
  denied: "vendor_failed",
  rate_limited: "rate_limited",
  vendor_failed: "vendor_failed",
  timed_out: "deadline_exceeded",
  invalid_arguments: "invalid_arguments",
};

/** The refusal of a connected account, as the frame may see it. */
export function capabilityRefusal({ code, message, retryAfterSecs }: CapabilityError): BridgeError {
  return new BridgeError(CODES[code], message, {
    ...(code === "denied" && { retryable: false }),
    ...(retryAfterSecs !== undefined && { retryAfterMs: retryAfterSecs * 1_000 }),
  });
}
