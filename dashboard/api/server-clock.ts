/** HTTP's `Date` has a resolution of one second. */
const HALF_SECOND_MS = 500;
/** A smaller clock offset is ignored: answers take time to arrive. */
const RIGHT_WITHIN_MS = 5_000;

let offsetMs = 0;

/** Updates this machine's clock offset from the `Date` of an answer that has just arrived. */
export function noteServerDate(date: string | null): void {
  const atMs = Date.parse(date ?? "");
  if (Number.isNaN(atMs)) return;
  const off = atMs + HALF_SECOND_MS - Date.now();
  offsetMs = Math.abs(off) < RIGHT_WITHIN_MS ? 0 : off;
}

/** Unix milliseconds by the server's clock; only this clock may be compared with the server's timestamps. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}
