import type { PulledMedia } from "../graph/graph-api.ts";

/** Provider's data about a sender. */
export interface SenderFacts {
  /** With + and country code; null where senders have none. */
  readonly phone: string | null;
  /** Display name shown to contacts. */
  readonly verifiedName: string | null;
  /** GREEN, YELLOW, RED or UNKNOWN; null where senders are not rated. */
  readonly quality: string | null;
}

/** Recipient of a message, addressed by number if there is one. */
export interface Recipient {
  readonly phone: string | null;
  readonly userId: string | null;
}

/** Media of an inbound message. */
export interface SentMedia {
  /** The provider's media id, or the media's URL. */
  readonly id: string;
  /** Type of the message. */
  readonly type: string;
}

export interface Template {
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly components: Record<string, unknown>[];
}

/** Sends over one channel of a provider. Methods throw as `GraphApi` does. */
export interface ChannelSender {
  describe(): Promise<SenderFacts>;
  /** Subscribes the app to the account's events; idempotent. */
  subscribe(): Promise<void>;
  /** Returns the provider's message id. `message` holds the type-specific part; `messageId` is ours. */
  send(
    message: object,
    to: { readonly to: Recipient; readonly messageId: string; readonly signal: AbortSignal },
  ): Promise<string>;
  /** Uploads media and returns the provider's id of it; absent where media are not sent. */
  upload?(file: {
    readonly bytes: Uint8Array;
    readonly mimeType: string;
    readonly signal: AbortSignal;
  }): Promise<string>;
  /** Downloads media that a contact sent. */
  download(media: SentMedia, signal: AbortSignal): Promise<PulledMedia>;
  /** Templates, which may be sent at any time; empty where there is no such thing. */
  templates(): Promise<Template[]>;
  /** Shows the contact a read receipt and a typing indicator. */
  showTyping(at: { readonly wamid: string; readonly to: Recipient }, signal: AbortSignal): Promise<void>;
  /** A contact's name, where messages do not carry it. */
  nameOf?(userId: string, signal: AbortSignal): Promise<string | null>;
}
