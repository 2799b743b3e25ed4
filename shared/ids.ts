import { v7 } from "uuid";
import { systemClock } from "./clock.ts";

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

const MAX_SEQ = 0xffff_ffff;
const RANDOM_BYTES = 16;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** For many ids at once: asking for random bytes costs more than all else about an id. */
const random = new Uint8Array(RANDOM_BYTES * 256);
const bytes = new Uint8Array(16);
let used = random.length;
let lastMs = 0;
/** Of 32 bits; counts the ids of a millisecond. */
let seq = 0;

/** A new id, such as `ses_` and a UUIDv7 without dashes, so that ids sort by creation time. */
export function newId(prefix: IdPrefix): string {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  const own = random.subarray(used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  countUp(systemClock.wallMs(), own);
  v7({ msecs: lastMs, seq, random: own }, bytes);
  let text = `${prefix}_`;
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** As in RFC 9562, 6.2: begins at random in each millisecond, and never goes back, also where the clock does. */
function countUp(nowMs: number, own: Uint8Array): void {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // Half of its range is left to count in.
    seq = new DataView(own.buffer, own.byteOffset).getUint32(0) >>> 1;
  } else if (seq === MAX_SEQ) {
    lastMs += 1;
    seq = 0;
  } else seq += 1;
}

/** True when `text` has the form of an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9a-f]{32}$/.test(text.slice(prefix.length + 1));
}
