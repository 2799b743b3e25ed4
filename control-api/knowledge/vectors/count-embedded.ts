/** The tokens that embedding texts used. */
export interface EmbeddedTokens {
  readonly orgId: string;
  /** Identifies the request; repeats count once. */
  readonly source: string;
  readonly model: string;
  readonly tokens: number;
  /** What the texts belong to; absent: knowledge. */
  readonly channel?: "knowledge" | "app";
}

/** Counts as an organization's usage what embedding used. */
export type CountEmbedded = (used: EmbeddedTokens) => Promise<void>;
