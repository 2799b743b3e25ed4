import type { EndpointHealth, WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import type { Counts } from "./endpoint-state.ts";

/** One stretch of time of a drawing. */
export interface HealthPoint extends Counts {
  readonly atMs: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

const NOTHING = { delivered: 0, dead: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null };

/** What an endpoint has in a range; nothing when it was raised nothing. */
export function healthOf(health: WebhookHealth, id: string): Omit<EndpointHealth, "id"> {
  return health.endpoints.find((endpoint) => endpoint.id === id) ?? { ...NOTHING, buckets: [] };
}

/** Every stretch of the range, oldest first, also those in which nothing was raised. */
export function pointsOf(health: WebhookHealth, id: string): HealthPoint[] {
  const { from, to, bucketSecs } = health;
  const [fromMs, stepMs] = [Date.parse(from), bucketSecs * 1_000];
  const known = new Map(healthOf(health, id).buckets.map((bucket) => [Date.parse(bucket.at), bucket]));
  const count = Math.round((Date.parse(to) - fromMs) / stepMs);
  return Array.from({ length: count }, (_, i) => {
    const atMs = fromMs + i * stepMs;
    return { ...NOTHING, ...known.get(atMs), atMs };
  });
}

/** The next of 1, 2, 5, 10, 20 … that holds a value: where an axis ends. */
export function axisEnd(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5].find((candidate) => value <= candidate * power) ?? 10;
  return step * power;
}
