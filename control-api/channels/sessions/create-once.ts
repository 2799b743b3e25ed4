import { type Intend, type OnceDeps, once } from "../../http/idempotency/once.ts";
import { wasNotDialed } from "./dial-leg.ts";

/** A request for a call, possibly a repeat. */
export interface CallAsked {
  /** Owner of the `Idempotency-Key`. */
  readonly principal: string;
  readonly route: string;
  readonly headers: { readonly "idempotency-key"?: string | undefined };
  readonly body: unknown;
}

/** How to create a call, and how to recover it. */
export interface CallCreation<T> {
  create(intend: Intend): Promise<T>;
  /** Recovers the call of a request that broke off. Returns undefined while the call may be about to change. */
  recover(sessionId: string, mayBeInFlight: boolean): Promise<T | undefined>;
}

/**
 * Creates one call per `Idempotency-Key`. Throws `AppError` conflict (the first request is in progress), bad_request
 * (the key was used with another body), and what `create` and `recover` throw.
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
