import type { EndpointHealth, Webhook } from "@parley/shared/contracts/webhooks.ts";

/** How many deliveries came to what. */
export type Counts = Pick<EndpointHealth, "delivered" | "dead" | "failed" | "pending">;

/** How an endpoint is doing, as it is told on every page. */
export type EndpointState =
  | { readonly kind: "healthy" }
  /** Nothing was tried in the last day. */
  | { readonly kind: "quiet" }
  /** Of `tried` deliveries raised since `sinceMs`, `missed` did not get through so far. */
  | {
      readonly kind: "failing";
      readonly missed: number;
      readonly tried: number;
      readonly sinceMs: number;
    }
  | { readonly kind: "disabled"; readonly reason: string };

/** Below this an endpoint has hiccups, which retries mend; from here on somebody must look. */
const FAILING_SHARE = 0.1;

/**
 * The state from an endpoint's last day. The latest stretch in which anything was tried decides: a receiver that was
 * mended is healthy as soon as deliveries get through again.
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

/** True when its owner must do something about it. */
export function needsAttention(
  state: EndpointState,
): state is Extract<EndpointState, { kind: "failing" | "disabled" }> {
  return state.kind === "failing" || state.kind === "disabled";
}

/** The share of what was tried that got through, 0 to 1; undefined when nothing was tried. */
export function successRate(counts: Counts): number | undefined {
  const tried = triedOf(counts);
  return tried === 0 ? undefined : counts.delivered / tried;
}

/** Tried, and not through so far. */
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
