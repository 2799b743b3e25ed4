import type { WebhookHealth } from "@parley/shared/contracts/webhooks.ts";

export type Range = WebhookHealth["range"];

export const RANGE_NAMES: Readonly<Record<Range, string>> = {
  hour: "last hour",
  day: "last day",
  week: "last week",
};

const NUMBER = new Intl.NumberFormat("en");
const HOUR = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short" });

export function countText(count: number): string {
  return NUMBER.format(count);
}

/** A rate in percent, truncated instead of rounded: 100% means all. */
export function rateText(rate: number | undefined): string {
  return rate === undefined ? "–" : `${Math.floor(rate * 1_000) / 10}%`;
}

export function msText(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** The start of a bucket, in the reader's zone. */
export function momentText(atMs: number, range: Range): string {
  return (range === "hour" ? HOUR : DAY).format(atMs);
}

/** The start of a bucket, short enough for an axis. */
export function tickText(atMs: number, range: Range): string {
  return (range === "week" ? WEEKDAY : HOUR).format(atMs);
}
