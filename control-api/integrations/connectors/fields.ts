import { parseUrl } from "@parley/shared/urls.ts";
import { z } from "zod";
import type { CredentialField } from "../connector.ts";

/** A secret that fits in a header: visible ASCII, no spaces around it. */
const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,4096}$/, "must be visible characters without blanks");

/** A token field, labeled as the vendor calls it. */
export function secret(key: string, label: string, help: string, form?: string): CredentialField {
  return { key, label, help, schema: token, ...(form === undefined ? {} : { form }) };
}

/** An account's URL at a vendor: `https://`, one host that matches `domain`, no path; normalized to `https://host`. */
export function accountUrl(
  domain: RegExp,
  expected: string,
  /** Whether a bare host is accepted, too. */
  { orHost = true }: { readonly orHost?: boolean } = {},
) {
  const originOf = (value: string): string | undefined => {
    const isUrl = value.includes("://");
    if (!isUrl && !orHost) return undefined;
    const url = parseUrl(isUrl ? value : `https://${value}`);
    return url?.protocol === "https:" && url.href === `${url.origin}/` && domain.test(url.host)
      ? url.origin
      : undefined;
  };
  return z
    .string()
    .trim()
    .overwrite((value) => originOf(value) ?? value)
    .refine((value) => originOf(value) !== undefined, `must be ${expected}`);
}

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}
