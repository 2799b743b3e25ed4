import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { isKeySecret } from "../api-keys/key-secret.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** Short, because a node that the bus does not reach honors a token until its cache expires. */
const LIFETIME_SECS = 15 * 60;
const MAX_TOKEN_CHARS = 2_048;

const ALGORITHM = "EdDSA";
const ISSUER = "parley-control-api";
const AUDIENCE = "parley-api";
/** RFC 9068: keeps other kinds of tokens signed by the same keys from passing as access tokens. */
const TYPE = "at+jwt";

const claimsSchema = z.object({ sub: z.string().min(1), sid: z.string().min(1) });

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
}

/** Signs and verifies the JWTs of signed-in users (RFC 9068 profile, EdDSA). */
export class AccessTokens {
  readonly #keys: SigningKeys;
  readonly #clock: Clock;

  constructor(deps: { keys: SigningKeys; clock: Clock }) {
    this.#keys = deps.keys;
    this.#clock = deps.clock;
  }

  async sign({ userId, sessionId }: AccessClaims): Promise<{ token: string; expiresAtMs: number }> {
    const nowSecs = Math.floor(this.#clock.wallMs() / 1_000);
    const { kid, privateKey } = this.#keys.current();
    const token = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setJti(randomToken(12))
      .setIssuedAt(nowSecs)
      .setExpirationTime(nowSecs + LIFETIME_SECS)
      .sign(privateKey);
    return { token, expiresAtMs: (nowSecs + LIFETIME_SECS) * 1_000 };
  }

  /** Throws `AppError` token_expired for a genuine but expired token, else token_invalid. */
  async verify(token: string, expired: "refused" | "accepted" = "refused"): Promise<AccessClaims> {
    try {
      if (token.length > MAX_TOKEN_CHARS) throw new Error("too long");
      const { payload } = await jwtVerify(token, ({ kid }) => this.#publicKey(kid), {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ["exp", "iat", "sub", "sid"],
        currentDate: new Date(this.#clock.wallMs()),
      });
      return toClaims(payload);
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) {
        if (expired === "accepted") return toClaims(cause.payload);
        throw new AppError(
          "token_expired",
          "The access token has expired; POST /api/auth/refresh for a new one.",
        );
      }
      const message = isKeySecret(token)
        ? "This is an API key, not an access token. Send it in the X-API-Key header."
        : "The access token was not issued by this server. Sign in again.";
      throw new AppError("token_invalid", message, { cause });
    }
  }

  async #publicKey(kid: string | undefined) {
    const key = kid === undefined ? undefined : await this.#keys.publicKey(kid);
    if (!key) throw new Error("unknown key");
    return key;
  }
}

function toClaims(payload: unknown): AccessClaims {
  const { sub, sid } = claimsSchema.parse(payload);
  return { userId: sub, sessionId: sid };
}
