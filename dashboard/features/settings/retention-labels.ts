import type { Retention } from "@parley/shared/contracts/retention.ts";

/** "forever", "1 day", "30 days". */
export function daysInWords(days: number): string {
  if (days === 0) return "forever";
  return days === 1 ? "1 day" : `${days} days`;
}

/** Retention now in force, in days; Infinity means forever. */
export function keptDays({ recordingRetentionDays, defaultDays }: Omit<Retention, "legalHold">): number {
  const days = recordingRetentionDays ?? defaultDays;
  return days === 0 ? Number.POSITIVE_INFINITY : days;
}
