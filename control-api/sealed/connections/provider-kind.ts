/** Credentials in their provider's format. */
export interface ParsedCredentials {
  /** Identifies the account; not secret. */
  readonly account: string;
  /** Asks the provider whether it accepts them; throws what to tell the person who entered them. */
  verify(): Promise<void>;
}

/** What must be known of a provider before its credentials are stored. */
export interface ProviderKind {
  /** Validates them against the provider's schema. Throws `AppError` validation_failed, which quotes no value. */
  parse(credentials: unknown, orgId: string): ParsedCredentials;
}
