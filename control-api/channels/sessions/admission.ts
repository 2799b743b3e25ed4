import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** A call or chat that is about to begin. */
export interface CallToAdmit {
  readonly sessionId: string;
  readonly orgId: string;
  /** Null for manual calls. */
  readonly agentId: string | null;
  /** The API key that asked for it. */
  readonly keyId?: string | undefined;
  readonly channel: string;
  readonly carrier?: string | undefined;
  /** The number that is dialed for it, if one is. */
  readonly dials?: string | undefined;
  readonly at: Date;
}

/**
 * Asked in the transaction that writes a call down, before anything else is done for it. Throws `AppError`
 * payment_required, spending_limit_reached, forbidden (the number is not to be called): there is no call then.
 */
export type AdmitCall = (trx: Kysely<Tables>, call: CallToAdmit) => Promise<void>;
