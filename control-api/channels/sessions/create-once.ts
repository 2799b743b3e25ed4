import { type Intend, type OnceDeps, once } from "../../http/idempotency/once.ts";
import { wasNotDialed } from "./dial-leg.ts";

/** A request for a call, which may be the same as one before. */
export interface CallAsked {
  /** Whose `Idempotency-Key` it is. */
  readonly principal: string;
  readonly route: string;
  readonly headers: { readonly "idempotency-key"?: string | undefined };
  readonly body: unknown;
}

/** How a call is made, and found again. */
export interface CallCreation<T> {
  create(intend: Intend): Promise<T>;
  /** Of a request that broke off: the call as it is. Undefined while that may be about to change. */
  recover(sessionId: string, mayBeInFlight: boolean): Promise<T | undefined>;
}

/**
 * Creates one call for one `Idempotency-Key`. Throws `AppError` conflict (the first request is under way), bad_request
 * (the key was used with another body), and what the two throw.
 */
export function createOnce<T>(
  { principal, route, headers, body }: CallAsked,
  { create, recover }: CallCreation<T>,
  { database, clock }: OnceDeps,
): Promise<{ result: T; isReplayed: boolean }> {
  return once(
    { principal, route, key: headers["idempotency-key"], body },
    { work: create, recover, spentNothing: wasNotDialed },
    { database, clock },
  );
}
