import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { LinkSigner } from "@parley/shared/security/link-signer.ts";
import type { StoredMedia } from "../../database/messaging-tables.ts";

const LINK_MS = 3_600_000;

/** Media as shown in events and on pages. */
export interface ShownMedia {
  readonly mimeType: string;
  readonly filename: string | null;
  readonly isVoice: boolean;
  readonly sizeBytes: number | null;
  /** Valid for an hour; null during the download, and if it failed. */
  readonly signedUrl: string | null;
  readonly expiresAt: string | null;
  /** Why the download failed. */
  readonly error: string | null;
}

/** Signed media URLs, valid for an hour without a key for anyone who has one. */
export class MediaLinks {
  readonly #signer: LinkSigner;
  readonly #clock: Clock;
  readonly #baseUrl: () => string;

  constructor({
    secretsKey,
    clock,
    baseUrl,
  }: {
    readonly secretsKey: string;
    readonly clock: Clock;
    readonly baseUrl: () => string;
  }) {
    this.#signer = new LinkSigner(secretsKey, "message-media");
    this.#clock = clock;
    this.#baseUrl = baseUrl;
  }

  shown(messageId: string, { mimeType, filename, isVoice, key, sizeBytes, error }: StoredMedia): ShownMedia {
    const about = { mimeType, filename, isVoice, sizeBytes: sizeBytes ?? null, error: error ?? null };
    if (key === undefined) return { ...about, signedUrl: null, expiresAt: null };
    const expires = Math.floor((this.#clock.wallMs() + LINK_MS) / 1_000);
    const query = `expires=${expires}&signature=${this.#signer.sign(signedText(messageId, expires))}`;
    const signedUrl = `${this.#baseUrl()}/api/public/messages/${messageId}/media?${query}`;
    return { ...about, signedUrl, expiresAt: toTimestamp(expires * 1_000) };
  }

  /** Throws `AppError` link_invalid, link_expired. */
  assertOpen(messageId: string, { expires, signature }: { expires: number; signature: string }): void {
    if (!this.#signer.verify(signedText(messageId, expires), signature))
      throw new AppError("link_invalid", "The link is incomplete or was changed. Use it exactly as given.");
    if (this.#clock.wallMs() >= expires * 1_000)
      throw new AppError(
        "link_expired",
        "The link expired after an hour. Read the message again to get a new one.",
      );
  }
}

function signedText(id: string, expires: number): string {
  return JSON.stringify([id, expires]);
}
