import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { LinkSigner } from "@parley/shared/security/link-signer.ts";

const LINK_MS = 3_600_000;

/** A recording's link in webhooks and call records (docs/webhooks.md#recordingready). */
export interface RecordingLink {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
}

export interface RecordingLinksDeps {
  /** `keyId:base64` list, in the format of SECRETS_KEY. */
  readonly secretsKey: string;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

/** Signs URLs of recordings that anybody who has one may open for an hour, without a key. */
export class RecordingLinks {
  readonly #signer: LinkSigner;
  readonly #clock: Clock;
  readonly #baseUrl: () => string;

  constructor({ secretsKey, clock, baseUrl }: RecordingLinksDeps) {
    this.#signer = new LinkSigner(secretsKey, "recording");
    this.#clock = clock;
    this.#baseUrl = baseUrl;
  }

  link(id: string): RecordingLink {
    const expires = Math.floor((this.#clock.wallMs() + LINK_MS) / 1_000);
    const signature = this.#signer.sign(signedText(id, expires));
    return {
      id,
      url: `${this.#baseUrl()}/api/public/recordings/${id}?expires=${expires}&signature=${signature}`,
      expiresAt: toTimestamp(expires * 1_000),
    };
  }

  /** Throws `AppError` link_invalid, link_expired. */
  assertOpen(id: string, { expires, signature }: { expires: number; signature: string }): void {
    if (!this.#signer.verify(signedText(id, expires), signature)) {
      throw new AppError("link_invalid", "The link is incomplete or was changed. Use it exactly as given.");
    }
    if (this.#clock.wallMs() >= expires * 1_000) {
      throw new AppError(
        "link_expired",
        "The link expired after an hour. Get a new one from GET /api/v1/calls/{id}/recording-url.",
      );
    }
  }
}

function signedText(id: string, expires: number): string {
  return JSON.stringify([id, expires]);
}
