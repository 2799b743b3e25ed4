import { z } from "zod";
import type { CredentialField } from "../connector.ts";

/** A secret that is sent in a header: visible ASCII, without blanks around it. */
const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,4096}$/, "must be visible characters without blanks");

/** A token under the name that the vendor has for it. */
export function secret(key: string, label: string, help: string, form?: string): CredentialField {
  return { key, label, help, schema: token, ...(form === undefined ? {} : { form }) };
}

/** The address of an account at a vendor, one host below `domain`; becomes `https://host`. */
export function accountUrl(domain: RegExp, expected: string) {
  return z
    .string()
    .trim()
    .overwrite((value) => {
      const address = /^https?:\/\//i.test(value) ? value : `https://${value}`;
      return URL.canParse(address) ? `https://${new URL(address).host.toLowerCase()}` : value;
    })
    .refine((value) => URL.canParse(value) && domain.test(new URL(value).host), `must be ${expected}`);
}

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}
