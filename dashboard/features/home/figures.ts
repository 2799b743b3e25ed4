const WHOLE = new Intl.NumberFormat("en-US");
const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 0 });
const MS_PER_SEC = 1_000;

export function countText(count: number): string {
  return WHOLE.format(count);
}

/** A percentage; a dash when the whole is 0. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? "–" : PERCENT.format(part / whole);
}

/** Milliseconds as `820 ms` or `1.4 s`; a dash when nothing was measured. */
export function delayText(ms: number | null): string {
  if (ms === null) return "–";
  return ms < MS_PER_SEC ? `${ms} ms` : `${(ms / MS_PER_SEC).toFixed(1)} s`;
}

/** Compares a figure with the previous day's at this time. */
export function againstText(now: number, before: number): string {
  if (before === 0) return "None yesterday by now";
  if (now === before) return `As many as yesterday by now`;
  const change = PERCENT.format(Math.abs(now - before) / before);
  return `${change} ${now > before ? "more" : "fewer"} than yesterday by now (${countText(before)})`;
}
