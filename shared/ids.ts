import { v7 } from "uuid";

/** The kind of thing an id names; the prefix is part of the id. */
export const ID_PREFIXES = [
  "org",
  "usr",
  "key",
  "agt",
  "ses",
  "cal",
  "rec",
  "evt",
  "nod",
  "mcp",
  "msg",
  "chn",
  "thr",
  "req",
  "sid",
  "otp",
  "inv",
  "ctk",
  "aud",
  "jwk",
  "whk",
  "dlv",
  "num",
  "con",
  "trk",
  "trf",
  "job",
  "kb",
  "doc",
  "crl",
  "mem",
  "pii",
  "app",
  "frm",
  "obj",
  "fil",
  "prc",
  "pay",
  "tax",
  "ltx",
  "lim",
  "cmp",
  "tgt",
  "att",
  "led",
  "lnk",
  "rhs",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** A new id, such as `ses_` and a UUIDv7 without dashes, so that ids sort by creation time. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll("-", "")}`;
}

/** True when `text` has the form of an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9a-f]{32}$/.test(text.slice(prefix.length + 1));
}
