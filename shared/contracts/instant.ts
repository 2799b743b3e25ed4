import { z } from "zod";

const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A time given by a client: RFC 3339 with `Z` or an offset, in the years 1 to 9999 UTC. A database has no year 0, and
 * later years have five digits, which RFC 3339 does not allow.
 */
export const instantSchema = z.iso.datetime({ offset: true }).refine(
  (text) => {
    const ms = Date.parse(text);
    return ms >= FIRST_MS && ms <= LAST_MS;
  },
  { error: "a time in the years 1 to 9999" },
);
