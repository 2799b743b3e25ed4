import type { EndpointHealth, Webhook } from "./webhooks.ts";

/** Deliveries counted by outcome. */
export type Counts = Pick<EndpointHealth, "delivered" | "dead" | "failed" | "pending">;

/** An endpoint's health, as every page shows it. */
export type EndpointState =
  | { readonly kind: "healthy" }
  /** No attempts in the last day. */
  | { readonly kind: "quiet" }
  /** Of `tried` deliveries raised since `sinceMs`, `missed` have not succeeded so far. */
  | {
      readonly kind: "failing";
      readonly missed: number;
      readonly tried: number;
      readonly sinceMs: number;
    }
  | { readonly kind: "disabled"; readonly reason: string };

/** Below this share, failures are hiccups that retries mend; from here on, a person must look. */
const FAILING_SHARE = 0.1;

/**
 * Derives the state from an endpoint's last day. The latest bucket with any attempt decides: a repaired
 * receiver is healthy as soon as deliveries succeed again.
 */
export function stateOf(webhook: Webhook, day: EndpointHealth | undefined): EndpointState {
  if (!webhook.enabled) return { kind: "disabled", reason: webhook.last_error ?? "it said that it is gone" };
  const tried = (day?.buckets ?? []).filter((bucket) => triedOf(bucket) > 0);
  const firstBad = tried.findLastIndex((bucket) => !isFailing(bucket)) + 1;
  const bad = tried.slice(firstBad);
  const [first] = bad;
  if (tried.length === 0) return { kind: "quiet" };
  if (!first) return { kind: "healthy" };
  return {
    kind: "failing",
    missed: sum(bad.map(missedOf)),
    tried: sum(bad.map(triedOf)),
    sinceMs: Date.parse(first.at),
  };
}

/** Whether the endpoint's owner must act. */
export function needsAttention(
  state: EndpointState,
): state is Extract<EndpointState, { kind: "failing" | "disabled" }> {
  return state.kind === "failing" || state.kind === "disabled";
}

/** Success rate of tried deliveries, 0 to 1; undefined when none was tried. */
export function successRate(counts: Counts): number | undefined {
  const tried = triedOf(counts);
  return tried === 0 ? undefined : counts.delivered / tried;
}

/** Tried, but without success so far. */
export function missedOf({ failed, dead }: Counts): number {
  return failed + dead;
}

function triedOf(counts: Counts): number {
  return counts.delivered + missedOf(counts);
}

function isFailing(counts: Counts): boolean {
  return missedOf(counts) / triedOf(counts) >= FAILING_SHARE;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
