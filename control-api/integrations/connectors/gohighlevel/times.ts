import { momentOf } from "../zones.ts";

/**
 * A time as the vendor writes it, in UTC: with its offset, or as the clock of the zone shows it (`2026-03-02 10:00:00`). A text that
 * is no time stays as it is.
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
