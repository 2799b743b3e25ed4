/**
 * The one source of time. Production code never calls `Date.now`, `performance.now`, or `setTimeout` where a test
 * would want to control time: it takes a `Clock`.
 */
export interface Clock {
  /** Wall-clock time, ms since the epoch. May step backwards; use it for what people read. */
  wallMs(): number;
  /** Monotonic time in ms with fractions. Never steps; use it for every delay and deadline. */
  monotonicMs(): number;
  /** Calls `fn` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, fn: () => void): () => void;
  /** Calls `fn` each `intervalMs` until the returned function is called. */
  every(intervalMs: number, fn: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs);
    return () => clearTimeout(timer);
  },
  every(intervalMs, fn) {
    const timer = setInterval(fn, intervalMs);
    return () => clearInterval(timer);
  },
};

/** RFC 3339 in UTC with exactly three fractional digits, as in every event (docs/webhooks.md#fields-of-every-event). */
export function toTimestamp(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
