import type { Wish } from "../opt-out/words.ts";

/** Media of a message, before the download. */
export interface InboundMedia {
  /** The provider's media id, or the media's URL. */
  readonly id: string;
  readonly mimeType: string;
  readonly filename: string | null;
  /** A voice message, not an audio file. */
  readonly isVoice: boolean;
}

/** A message as its contact sent it. */
export interface InboundMessage {
  /** The provider's id; null if it assigned none. */
  readonly wamid: string | null;
  /** With +; null for contacts who show only a name. */
  readonly phone: string | null;
  readonly userId: string | null;
  readonly contactName: string | null;
  readonly type: string;
  readonly body: string | null;
  /** Content besides text. */
  readonly content: unknown;
  readonly media: InboundMedia | null;
  /** The message it deletes or edits. */
  readonly replaces: string | null;
  /** Context for the agent ahead of its words: what the message replies to. */
  readonly about?: string;
  readonly sentAt: Date;
  readonly raw: unknown;
}

/** Delivery status of a sent message. */
export interface StatusUpdate {
  readonly wamid: string;
  readonly status: string;
  /** `+` and digits, or the provider's id of a contact without a number. */
  readonly recipient: string;
  readonly at: Date;
  readonly errors: readonly Readonly<Record<string, unknown>>[] | null;
  readonly pricing: unknown;
  readonly conversation: unknown;
  /** Our message id, which was sent along with the message. */
  readonly messageId: string | null;
}

/** An outbound message of the account: ours, or one written in the provider's own app. */
export interface Echo {
  readonly wamid: string;
  /** The provider's id of the recipient. */
  readonly userId: string;
  readonly type: string;
  readonly body: string | null;
  readonly content: unknown;
  readonly sentAt: Date;
}

/** A contact's choice about marketing messages, made in the provider's app. */
export interface Preference {
  /** With +; null for contacts who show only a name. */
  readonly phone: string | null;
  readonly userId: string | null;
  readonly wish: Wish;
  readonly at: Date;
}

/** One item a provider reports. `sender`: the provider's id of the sender that received or wrote it. */
export type WebhookItem =
  | { readonly kind: "message"; readonly sender: string; readonly message: InboundMessage }
  | { readonly kind: "status"; readonly sender: string; readonly status: StatusUpdate }
  | { readonly kind: "echo"; readonly sender: string; readonly echo: Echo }
  | { readonly kind: "preference"; readonly sender: string; readonly preference: Preference }
  | { readonly kind: "health"; readonly wabaId: string; readonly field: string; readonly value: unknown };
