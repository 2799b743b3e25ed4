import { validateHeaderValue } from "node:http";
import { AppError } from "@parley/shared/errors.ts";

/** Throws `AppError` for a key that no HTTP header can carry, so that it fails at startup rather than in a call. */
export function assertUsableKey(vendor: string, key: string): void {
  try {
    validateHeaderValue("authorization", key);
  } catch (error) {
    throw new AppError("validation_failed", `the key for ${vendor} has a character no HTTP header may hold`, {
      cause: error,
    });
  }
}
