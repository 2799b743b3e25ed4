import { domainToASCII } from "node:url";
import { AppError } from "@parley/shared/errors.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js";

/** What identifies an account, in its only spelling. */
export interface Identifier {
  readonly channel: "email" | "phone";
  /** An address in lowercase, or `+` and digits. */
  readonly value: string;
}

const MAX_EMAIL_CHARS = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Throws `AppError` bad_request, which says how to write an identifier. */
export function normalizeIdentifier(raw: string): Identifier {
  return raw.includes("@") ? { channel: "email", value: normalizeEmail(raw) } : normalizeMobile(raw);
}

/** Throws `AppError` bad_request. */
export function normalizeEmail(raw: string): string {
  const email = raw.trim().toLowerCase();
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const domain = domainToASCII(email.slice(at + 1));
  const normal = `${local}@${domain}`;
  if (
    !LOCAL_PART.test(local) ||
    local.length > 64 ||
    !DOMAIN.test(domain) ||
    normal.length > MAX_EMAIL_CHARS
  ) {
    throw new AppError("bad_request", "Enter a full email address, such as name@example.com.");
  }
  return normal;
}

function normalizeMobile(raw: string): Identifier {
  const number = parsePhoneNumberFromString(raw.trim().replace(/^00/, "+"));
  if (!number?.isPossible() || number.ext !== undefined) {
    throw new AppError(
      "bad_request",
      "Enter an email address, or a mobile number with its country code, such as +31612345678.",
    );
  }
  return { channel: "phone", value: number.number };
}

/** Enough to recognize one's own, not to learn another's: `a•••@example.com`, `+31•••••78`. */
export function hintOf({ channel, value }: Identifier): string {
  if (channel === "phone") return `${value.slice(0, 3)}•••••${value.slice(-2)}`;
  const [local = "", domain = ""] = value.split("@");
  return `${local.slice(0, 1)}•••@${domain}`;
}
