import { z } from "zod";

const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A time that somebody asks for: RFC 3339 with `Z` or an offset, in the years 1 to 9999 of UTC. A database knows no year
 * 0, and what is later has five digits in UTC, which RFC 3339 does not have.
 */
export const instantSchema = z.iso.datetime({ offset: true }).refine(
  (text) => {
    const ms = Date.parse(text);
    return ms >= FIRST_MS && ms <= LAST_MS;
  },
  { error: "a time in the years 1 to 9999" },
);
