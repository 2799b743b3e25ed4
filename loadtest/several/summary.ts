import { isCaddySince } from "../stack/caddy.ts";
import type { SeveralResult } from "./run.ts";

/** Before, Caddy answered 502 to a request with a body that met an upstream that was gone, and tried no other one. */
const TRIES_BODIES_AGAIN_SINCE = [2, 11, 2] as const;

const secs = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The findings in lines. */
export function summaryOfSeveral({
  spread,
  killed,
  added,
  controlApiKilled,
  failures,
  tally,
  ends,
}: SeveralResult): string {
  const { response, lateness } = tally.times;
  const { framesHeard, lateOver20 } = tally.counts;
  return [
    `calls on each gateway           ${spread.join(", ")}`,
    `a gateway killed                ${killed.held} calls on it, ${killed.lost} lost in all`,
    `  placed on it afterwards       ${killed.placedThere} times, the last after ${secs(killed.lastPlacedThereMs)}`,
    `  all callers back after        ${secs(killed.allBackMs)}`,
    `  Prometheus is told of         ${killed.listed} gateways, so that it notices`,
    `a gateway added                 ready after ${secs(added.readyMs)}, Prometheus told after ${secs(added.listedMs)}, its first call after ${secs(added.firstCallMs)}`,
    `  calls placed on it            ${added.calls} of ${added.placed}`,
    `a control API killed            ${controlApiKilled.placed} calls placed`,
    `  refused by the load balancer  ${failures.length} requests, which were made again`,
    `  the slowest to be placed      ${secs(controlApiKilled.slowestMs)}, ${secs(controlApiKilled.slowestBeforeMs)} before`,
    `response, median and p95        ${Math.round(response.quantile(0.5))} and ${Math.round(response.quantile(0.95))} ms`,
    `frames more than 20 ms late     ${((100 * lateOver20) / Math.max(1, framesHeard)).toFixed(2)} % of ${framesHeard}; p99 ${Math.round(lateness.quantile(0.99))} ms`,
    `records of calls kept           ${JSON.stringify(ends.kept)}`,
    `records of calls lost           ${JSON.stringify(ends.lost)}`,
    `calls without an end            ${ends.open}`,
  ].join("\n");
}

/** What should not be: a call lost elsewhere, or a record that does not say what happened. */
export function faultsOf({ spread, killed, failures, tally, ends }: SeveralResult): string[] {
  return [
    ...(killed.listed === spread.length ? [] : [`Prometheus is told of ${killed.listed} gateways`]),
    ...failures.filter((said) => !isExpected(said)).map((said) => `a request failed: ${said}`),
    ...(killed.lost === killed.held ? [] : [`${killed.lost} calls were lost, ${killed.held} were on it`]),
    ...(tally.counts.callsLost === killed.held ? [] : ["calls were lost later"]),
    ...(tally.counts.callsFailed === 0 ? [] : [`${tally.counts.callsFailed} calls did not begin`]),
    ...(ends.open === 0 ? [] : [`${ends.open} calls have no end`]),
    ...(sum(ends.lost) === (ends.lost.node_lost ?? 0) ? [] : ["a lost call's record says something else"]),
    ...(ends.kept.node_lost === undefined ? [] : ["the record of a call that was kept says it was lost"]),
  ];
}

function isExpected(said: string): boolean {
  return said.startsWith("502") && !isCaddySince(...TRIES_BODIES_AGAIN_SINCE);
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
