export type LimitPeriod = "day" | "month";

/** The first day (`YYYY-MM-DD`, UTC) of the period that `at` is in. */
export function periodStart(period: LimitPeriod, at: Date): string {
  const day = at.toISOString().slice(0, 10);
  return period === "day" ? day : `${day.slice(0, 7)}-01`;
}

/** When the next period begins. */
export function nextPeriod(period: LimitPeriod, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return new Date(period === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}
