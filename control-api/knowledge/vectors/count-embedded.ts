/** The tokens that embedding texts used. */
export interface EmbeddedTokens {
  readonly orgId: string;
  /** Identifies the request; repeats count once. */
  readonly source: string;
  readonly model: string;
  readonly tokens: number;
}

/** Counts as an organization's usage what embedding used. */
export type CountEmbedded = (used: EmbeddedTokens) => Promise<void>;
