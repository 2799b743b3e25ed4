import { generateSecret, generateURI, verify } from "otplib";
import { toDataURL } from "qrcode";

/** RFC 6238 as authenticator apps support it: SHA-1, six digits, 30 s. */
const PERIOD_SECS = 30;
const DIGITS = 6;
const ISSUER = "Parley";

export interface Enrollment {
  /** Base32, 160 bits. */
  readonly secret: string;
  readonly otpauthUri: string;
  /** A PNG of the URI, as a data URL. */
  readonly qrCode: string;
}

/** Creates a secret for an authenticator app, labeled with the account. */
export async function enroll(label: string): Promise<Enrollment> {
  const secret = generateSecret();
  const otpauthUri = generateURI({ issuer: ISSUER, label, secret, period: PERIOD_SECS, digits: DIGITS });
  return { secret, otpauthUri, qrCode: await toDataURL(otpauthUri, { margin: 2, width: 240 }) };
}

/**
 * The time step of a code: the current one, or one before or after it to allow for clock drift (RFC 6238, 5.2);
 * undefined for a wrong code. Steps up to `afterStep` were already used and do not count.
 */
export async function stepOf(
  code: string,
  { secret, nowMs, afterStep }: { secret: string; nowMs: number; afterStep: number | null },
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  // The clock was set back behind the last used step: no code can be valid yet.
  if (afterStep !== null && afterStep > Math.floor(nowMs / 1_000 / PERIOD_SECS) + 1) return undefined;
  const result = await verify({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1_000),
    period: PERIOD_SECS,
    digits: DIGITS,
    epochTolerance: PERIOD_SECS,
    ...(afterStep === null ? {} : { afterTimeStep: afterStep }),
  });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
}
