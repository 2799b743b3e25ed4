import type { Counts } from "@parley/shared/contracts/endpoint-state.ts";
import type { EndpointHealth, WebhookHealth } from "@parley/shared/contracts/webhooks.ts";

/** One time bucket of a chart. */
export interface HealthPoint extends Counts {
  readonly atMs: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

const NOTHING = { delivered: 0, dead: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null };

/** An endpoint's health in a range; empty when nothing was raised for it. */
export function healthOf(health: WebhookHealth, id: string): Omit<EndpointHealth, "id"> {
  return health.endpoints.find((endpoint) => endpoint.id === id) ?? { ...NOTHING, buckets: [] };
}

/** Every bucket of the range, oldest first, empty ones included. */
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

/** The axis end: the first of 1, 2, 5, 10, 20 … not below the value. */
export function axisEnd(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5].find((candidate) => value <= candidate * power) ?? 10;
  return step * power;
}
