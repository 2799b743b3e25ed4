import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { ConsentTokens } from "../deps.ts";
import { VendorError } from "../vendor/vendor.ts";
import { type Grants, NeedsSignIn } from "./grants.ts";

/** Tokens of a consent, waited for no longer than the request they are for. */
export function consentTokens(grants: Grants, clock: Clock): ConsentTokens {
  return ({ orgId, connectionId: id }, { name }, { signal, deadlineAtMs }) => {
    const given = async (token: Promise<string>): Promise<string> => {
      try {
        return await inTime(token, { leftMs: deadlineAtMs - clock.monotonicMs(), signal }, clock);
      } catch (error) {
        signal.throwIfAborted();
        throw asVendorError(error, name);
      }
    };
    return {
      token: () => given(grants.accessToken({ orgId, id })),
      renewed: (refused) => given(grants.renewed({ orgId, id }, refused)),
    };
  };
}

/** Stops waiting, but lets the renewal finish for the next request. */
function inTime<T>(
  work: Promise<T>,
  { leftMs, signal }: { readonly leftMs: number; readonly signal: AbortSignal },
  clock: Clock,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const cancel = clock.after(Math.max(0, leftMs), () =>
      reject(new AppError("deadline_exceeded", "Too late.")),
    );
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      cancel();
      signal.removeEventListener("abort", stop);
    });
  });
}

function asVendorError(error: unknown, name: string): unknown {
  if (!(error instanceof AppError)) return error;
  const cause = { cause: error };
  if (error instanceof NeedsSignIn) return new VendorError("unauthorized", error.message, cause);
  if (error.code === "deadline_exceeded")
    return new VendorError("timed_out", `${name} did not renew its token in time.`, cause);
  if (error.code === "vendor_failed" || error.code === "vendor_rejected")
    return new VendorError(
      "failed",
      `${name}'s token cannot be renewed at the moment: ${error.message}`,
      cause,
    );
  return error;
}
