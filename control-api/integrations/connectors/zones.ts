const MINUTE_MS = 60_000;

/** A zone's offset from UTC at a moment. */
export function offsetMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === "-" ? -offset : offset;
}

/** The moment when a zone's clock shows what UTC's clock shows at `shownMs`. */
export function momentOf(shownMs: number, timeZone: string): number {
  // The offset depends on the moment itself; the second pass is at most an hour off.
  const first = shownMs - offsetMs(shownMs, timeZone);
  return shownMs - offsetMs(first, timeZone);
}

/** A moment in a zone's local time, ISO 8601 with offset. */
export function isoIn(atMs: number, timeZone: string): string {
  const offset = offsetMs(atMs, timeZone);
  const shown = new Date(atMs + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(offset) / MINUTE_MS;
  const part = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${shown}${offset < 0 ? "-" : "+"}${part(minutes / 60)}:${part(minutes % 60)}`;
}
