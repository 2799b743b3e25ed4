import type { GatewayProcess } from "./installation.ts";
import { metricOf } from "./metric-of.ts";

/** A gateway's memory at one moment of a soak. */
export interface MemorySample {
  /** Seconds since the soak began. */
  readonly t: number;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly liveCalls: number;
}

const EVERY_MS = 1_000;

/** Reads a gateway's memory each second for `secs`. */
export async function sampleMemory(gateway: GatewayProcess, secs: number): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  const beganMs = performance.now();
  const elapsedMs = (): number => performance.now() - beganMs;
  while (elapsedMs() < secs * 1_000) {
    const t = Math.round(elapsedMs() / 100) / 10;
    const [rssBytes, heapUsedBytes, liveCalls] = await Promise.all([
      metricOf(gateway, "process_resident_memory_bytes"),
      metricOf(gateway, "nodejs_heap_size_used_bytes"),
      metricOf(gateway, "parley_live_calls"),
    ]);
    samples.push({ t, rssBytes, heapUsedBytes, liveCalls });
    const restMs = samples.length * EVERY_MS - elapsedMs();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, restMs)));
  }
  return samples;
}

/**
 * By how many bytes a figure's floor rose from the first third of the samples to the last. What the
 * garbage collector has not come to yet stands above the floor; what it can never take raises it.
 */
export function riseOf(samples: readonly MemorySample[], figure: "rssBytes" | "heapUsedBytes"): number {
  const third = Math.floor(samples.length / 3);
  if (third === 0) throw new Error(`${samples.length} samples have no thirds`);
  const floorOf = (part: readonly MemorySample[]): number =>
    Math.min(...part.map((sample) => sample[figure]));
  return floorOf(samples.slice(-third)) - floorOf(samples.slice(0, third));
}
