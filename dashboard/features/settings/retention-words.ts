import type { Retention } from "@parley/shared/contracts/retention.ts";

/** "for ever", "1 day", "30 days". */
export function daysInWords(days: number): string {
  if (days === 0) return "for ever";
  return days === 1 ? "1 day" : `${days} days`;
}

/** How many days count now; Infinity: for ever. */
export function keptDays({ recordingRetentionDays, defaultDays }: Omit<Retention, "legalHold">): number {
  const days = recordingRetentionDays ?? defaultDays;
  return days === 0 ? Number.POSITIVE_INFINITY : days;
}
