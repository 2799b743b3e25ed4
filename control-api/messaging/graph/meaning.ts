/**
 * What a refusal means for the message. `again`: not accepted, and may be resent. `refused`: it never will be accepted.
 * `unknown`: it may have been accepted, so it is not resent (docs/decisions/messaging.md#send-once).
 */
export type Fate = "again" | "refused" | "unknown";

export interface Meaning {
  readonly fate: Fate;
  /** Explanation for the sender. */
  readonly words: string;
  /** Nothing works until somebody enters another token. */
  readonly isTokenGone?: true;
}

export const refused = (words: string): Meaning => ({ fate: "refused", words });
export const again = (words: string): Meaning => ({ fate: "again", words });
