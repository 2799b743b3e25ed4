/** HTTP's `Date` has whole seconds. */
const HALF_SECOND_MS = 500;
/** A clock that is off by less is taken for right: answers take their time. */
const RIGHT_WITHIN_MS = 5_000;

let offsetMs = 0;

/** Learns from the `Date` of an answer that has just come how far this machine's clock is off. */
export function noteServerDate(date: string | null): void {
  const atMs = Date.parse(date ?? "");
  if (Number.isNaN(atMs)) return;
  const off = atMs + HALF_SECOND_MS - Date.now();
  offsetMs = Math.abs(off) < RIGHT_WITHIN_MS ? 0 : off;
}

/** Unix milliseconds by the server's clock: what is subtracted from its timestamps must not come from another one. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}
