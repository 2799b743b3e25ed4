/** Credentials in the form that their provider's have. */
export interface ParsedCredentials {
  /** Which account they are of; no secret. */
  readonly account: string;
  /** Asks the provider whether it takes them; throws what to tell whoever entered them. */
  verify(): Promise<void>;
}

/** What is to be known of a provider before its credentials are stored. */
export interface ProviderKind {
  /** Holds them against the provider's schema. Throws `AppError` validation_failed, which quotes no value. */
  parse(credentials: unknown, orgId: string): ParsedCredentials;
}
