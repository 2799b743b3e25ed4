export const DAY_MS = 86_400_000;

/** `YYYY-MM-DD`, UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}

/** Whole days elapsed. */
export function daysSince(at: Date, now: Date): number {
  return Math.floor((now.getTime() - at.getTime()) / DAY_MS);
}

/** That many months later, UTC; clamped to the last day of a shorter month. */
export function addMonths(at: Date, months: number): Date {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth() + months;
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(at);
  moved.setUTCFullYear(year, month, Math.min(at.getUTCDate(), last));
  return moved;
}

const PROSE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** "30 November 2026", for people. */
export function inWords(at: Date): string {
  return PROSE.format(at);
}
