import { momentOf } from "../zones.ts";

/**
 * Converts a vendor's time to UTC: one with an offset, or a local time of the zone (`2026-03-02 10:00:00`). Leaves any
 * other text as it is.
 */
export function inZone(time: string, timeZone: string): string {
  if (/(Z|[+-]\d\d:?\d\d)$/.test(time)) return utc(Date.parse(time), time);
  const shownMs = Date.parse(`${time.replace(" ", "T")}Z`);
  if (Number.isNaN(shownMs)) return time;
  return utc(momentOf(shownMs, timeZone), time);
}

function utc(ms: number, otherwise: string): string {
  return Number.isNaN(ms) ? otherwise : new Date(ms).toISOString();
}
