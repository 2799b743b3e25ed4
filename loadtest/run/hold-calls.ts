import { Fleet } from "../callers/fleet.ts";
import { DEFAULT_SCRIPT } from "../callers/script.ts";
import type { Tally } from "../callers/tally.ts";
import type { Histogram } from "../report/histogram.ts";
import { lossesBetween, type Scrape, scrape } from "./gateway-metrics.ts";
import type { EventCount, LoadTarget } from "./target.ts";

/** New calls per second: avoids a burst, and a thousand calls are up in ten seconds. */
const CALLS_PER_SEC = 100;
/** Callers start speaking over this time, one exchange at most, so that they are out of step. */
const MAX_SPREAD_MS = 12_000;
const SPREAD_MS_PER_CALL = 250;
const SETTLE_MS = 5_000;
const PROGRESS_MS = 1_000;

export interface HoldOptions {
  readonly calls: number;
  readonly seconds: number;
  /** Ends the hold early; measurements so far are still reported. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly phase: "calling" | "settling" | "measuring" | "hanging up";
  readonly live: number;
  readonly elapsedSecs: number;
}

/** A load test's findings. */
export interface LoadResult {
  readonly target: string;
  readonly calls: number;
  /** Calls up at the end of measuring. */
  readonly held: number;
  readonly seconds: number;
  readonly tally: Tally;
  /** Lag of the callers' own clock, which bounds the precision of their measurements. */
  readonly callerLag: Histogram;
  /** CPU of the gateway's process, all threads. */
  readonly cpuUsPerCallSec: number;
  readonly cores: number;
  /** Growth of the gateway's resident memory per call. */
  readonly memoryPerCallBytes: number;
  /** 99th percentile of the gateway's event loop delay at the end, in ms. */
  readonly loopLagMs: number;
  /** Losses the gateway reports. */
  readonly losses: Readonly<Record<string, number>>;
  readonly events: EventCount | undefined;
}

/** Holds calls on a target: opens them, lets them settle, measures, hangs up, counts their records. */
export async function holdCalls(target: LoadTarget, options: HoldOptions): Promise<LoadResult> {
  const { calls, seconds, signal, onProgress } = options;
  const fleet = await Fleet.start({ calls, cpu: target.callersCpu });
  const startMs = performance.now();
  let phase: Progress["phase"] = "calling";
  const tell = (): void =>
    onProgress({ phase, live: fleet.live, elapsedSecs: (performance.now() - startMs) / 1_000 });
  const progress = setInterval(tell, PROGRESS_MS);
  try {
    const idle = await scrape(target.gatewayUrl);
    const spreadMs = Math.min(MAX_SPREAD_MS, calls * SPREAD_MS_PER_CALL);
    await openCalls(target, fleet, { calls, spreadMs, signal });
    phase = "settling";
    await pause(spreadMs + SETTLE_MS, signal);
    phase = "measuring";
    const measured = await measure(target, fleet, { seconds, signal });
    phase = "hanging up";
    await fleet.hangUp();
    const events = await target.countEvents?.(calls);
    return { target: target.name, calls, ...figures(measured, idle), events };
  } finally {
    clearInterval(progress);
    await fleet.close();
  }
}

async function openCalls(
  target: LoadTarget,
  fleet: Fleet,
  { calls, spreadMs, signal }: { calls: number; spreadMs: number; signal: AbortSignal },
): Promise<void> {
  const startMs = performance.now();
  for (let i = 0; i < calls && !signal.aborted; i++) {
    fleet.call(await target.newCall(), { ...DEFAULT_SCRIPT, firstAfterMs: (i * spreadMs) / calls });
    const dueMs = startMs + ((i + 1) * 1_000) / CALLS_PER_SEC;
    if (dueMs > performance.now()) await pause(dueMs - performance.now(), signal);
  }
}

interface Measured {
  readonly before: Scrape;
  readonly after: Scrape;
  readonly seconds: number;
  readonly held: number;
  readonly tally: Tally;
  readonly callerLag: Histogram;
}

async function measure(
  target: LoadTarget,
  fleet: Fleet,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<Measured> {
  fleet.measure();
  const before = await scrape(target.gatewayUrl);
  const startMs = performance.now();
  await pause(seconds * 1_000, signal);
  const after = await scrape(target.gatewayUrl);
  const tookSecs = (performance.now() - startMs) / 1_000;
  const { tally, lag } = await fleet.report();
  return { before, after, seconds: tookSecs, held: fleet.live, tally, callerLag: lag };
}

function figures({ before, after, seconds, held, tally, callerLag }: Measured, idle: Scrape) {
  const growth = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const memory = "process_resident_memory_bytes";
  const cpuSecs = growth("process_cpu_seconds_total");
  const callSecs = Math.max(1, held) * seconds;
  return {
    held,
    seconds,
    tally,
    callerLag,
    cpuUsPerCallSec: (cpuSecs * 1e6) / callSecs,
    cores: cpuSecs / seconds,
    memoryPerCallBytes: ((after.get(memory) ?? 0) - (idle.get(memory) ?? 0)) / Math.max(1, held),
    loopLagMs: (after.get("parley_event_loop_lag_seconds") ?? 0) * 1_000,
    losses: lossesBetween(idle, after),
  };
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
