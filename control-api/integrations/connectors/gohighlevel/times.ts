const MINUTE_MS = 60_000;

/**
 * A time as the vendor writes it, in UTC: with its offset, or as the clock of the zone shows it (`2026-03-02 10:00:00`). A text that
 * is no time stays as it is.
 */
export function inZone(time: string, timeZone: string): string {
  if (/(Z|[+-]\d\d:?\d\d)$/.test(time)) return utc(Date.parse(time), time);
  const shownMs = Date.parse(`${time.replace(" ", "T")}Z`);
  if (Number.isNaN(shownMs)) return time;
  // The offset is the one at that time, which is known only when the time is: the second look is at most an hour off.
  const first = shownMs - offsetMs(shownMs, timeZone);
  return utc(shownMs - offsetMs(first, timeZone), time);
}

function utc(ms: number, otherwise: string): string {
  return Number.isNaN(ms) ? otherwise : new Date(ms).toISOString();
}

function offsetMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === "-" ? -offset : offset;
}
