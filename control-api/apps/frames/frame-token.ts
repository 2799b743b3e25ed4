import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { z } from "zod";

/** The host gets a new token before this one expires; what is open continues. */
const LIFETIME_MS = 15 * 60_000;
const MAX_TOKEN_CHARS = 2_048;
const CONTEXT = "app-frame";

const claimsSchema = z.object({
  frameId: z.string(),
  orgId: z.string(),
  appId: z.string(),
  version: z.string(),
  userId: z.string(),
  /** The script comes from the user's own machine. */
  preview: z.boolean().optional(),
  expiresAtMs: z.number(),
});
/** The principal a frame was opened for: the only source of a call's identity. */
export type FrameClaims = z.infer<typeof claimsSchema>;

/** Tokens by which a host brings one frame's calls. They are sealed, so holders learn nothing from them. */
export class FrameTokens {
  readonly #secrets: SecretBox;
  readonly #nowMs: () => number;

  constructor({ secrets, nowMs }: { readonly secrets: SecretBox; readonly nowMs: () => number }) {
    this.#secrets = secrets;
    this.#nowMs = nowMs;
  }

  mint(frame: Omit<FrameClaims, "expiresAtMs">): { readonly token: string; readonly expiresAt: Date } {
    const expiresAtMs = this.#nowMs() + LIFETIME_MS;
    const token = this.#secrets.seal(JSON.stringify({ ...frame, expiresAtMs }), CONTEXT);
    return { token, expiresAt: new Date(expiresAtMs) };
  }

  /** Throws `BridgeError` frame_expired for an expired or malformed token. */
  read(token: string | undefined): FrameClaims {
    const claims = this.readEnded(token);
    if (claims.expiresAtMs <= this.#nowMs())
      throw new BridgeError("frame_expired", "The token of the frame ended; ask for another.");
    return claims;
  }

  /** Reads a token regardless of its age, for what began while it was valid. */
  readEnded(token: string | undefined): FrameClaims {
    const claims = this.#open(token ?? "");
    if (!claims)
      throw new BridgeError("frame_expired", "That is no token of a frame; open the frame again.", {
        retryable: false,
      });
    return claims;
  }

  #open(token: string): FrameClaims | undefined {
    if (token === "" || token.length > MAX_TOKEN_CHARS) return undefined;
    try {
      return claimsSchema.parse(JSON.parse(this.#secrets.open(token, CONTEXT)));
    } catch {
      return undefined;
    }
  }
}
