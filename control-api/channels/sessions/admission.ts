import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** A call or chat that is about to begin. */
export interface CallToAdmit {
  readonly sessionId: string;
  readonly orgId: string;
  /** Null for manual calls. */
  readonly agentId: string | null;
  /** The API key that requested the call. */
  readonly keyId?: string | undefined;
  /** The campaign that places the call. */
  readonly campaignId?: string | undefined;
  readonly channel: string;
  readonly carrier?: string | undefined;
  /** The number to be dialed, if any. */
  readonly dials?: string | undefined;
  readonly at: Date;
}

/**
 * Runs in the transaction that records a call, before any other work. Throws `AppError` payment_required,
 * spending_limit_reached, forbidden (the number must not be called): no call is created then.
 */
export type AdmitCall = (trx: Kysely<Tables>, call: CallToAdmit) => Promise<void>;
