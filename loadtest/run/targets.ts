import type { LoadResult } from "./hold-calls.ts";

/** Largest share of agent frames that may be 20 ms late or more. */
const MAX_LATE_SHARE = 0.001;
/** Caller clock lag above this, in ms, says more about the load generator than about the gateway. */
const MAX_CALLER_LAG_MS = 15;

/** The targets a load missed, in words; empty when it held. */
export function missedTargets({ tally, calls, held, losses, events }: LoadResult): string[] {
  const { counts } = tally;
  const lateShare = counts.framesHeard === 0 ? 0 : counts.lateOver20 / counts.framesHeard;
  const missed: string[] = [];
  if (lateShare > MAX_LATE_SHARE) missed.push(`${percent(lateShare)} of the frames were over 20 ms late`);
  if (counts.callsFailed > 0) missed.push(`${counts.callsFailed} calls could not be opened`);
  if (counts.callsLost > 0) missed.push(`${counts.callsLost} calls were lost`);
  if (held < calls) missed.push(`${calls - held} of ${calls} calls were not up at the end`);
  if (events && events.wrong > 0) missed.push(`${events.wrong} calls lack an event or have one twice`);
  for (const [what, count] of Object.entries(losses)) missed.push(`${count} ${what}`);
  return missed;
}

/** Whether the callers themselves could not keep time. */
export function isLimitedByCallers({ callerLag }: LoadResult): boolean {
  return callerLag.quantile(0.999) > MAX_CALLER_LAG_MS;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
