import { generateSecret, generateURI, verify } from "otplib";
import { toDataURL } from "qrcode";

/** RFC 6238 with what authenticator apps know: SHA-1, six digits, 30 s. */
const PERIOD_SECS = 30;
const DIGITS = 6;
const ISSUER = "Parley";

export interface Enrollment {
  /** Base32, 160 bits. */
  readonly secret: string;
  readonly otpauthUri: string;
  /** A PNG of the URI as data URL. */
  readonly qrCode: string;
}

/** A new secret for an authenticator app, labeled with the account. */
export async function enroll(label: string): Promise<Enrollment> {
  const secret = generateSecret();
  const otpauthUri = generateURI({ issuer: ISSUER, label, secret, period: PERIOD_SECS, digits: DIGITS });
  return { secret, otpauthUri, qrCode: await toDataURL(otpauthUri, { margin: 2, width: 240 }) };
}

/**
 * The time step a code is of: the current one, or one before or after it for clocks that are off (RFC 6238,
 * 5.2); undefined for a wrong code. `afterStep`: nothing at or before it counts, as it was used.
 */
export async function stepOf(
  code: string,
  { secret, nowMs, afterStep }: { secret: string; nowMs: number; afterStep: number | null },
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  // The clock was set back behind what was used: no code can be good yet.
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
