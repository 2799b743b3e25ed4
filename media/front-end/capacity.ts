/** How much of the front end calls may use if their agents leave the choice to the node. */
export interface Capacity {
  /** True if the voice model decides, false for WebRTC's detector. */
  readonly detects: boolean;
  /** Maximum number of calls with noise suppression at a time. */
  readonly denoised: number;
  /** Consecutive looks at which the node was busy, or calm. */
  readonly busyLooks: number;
  readonly calmLooks: number;
}

/** A node's load, measured once a second. Shares are 0 to 1. */
export interface NodeLoad {
  /** Busy share of the front end thread's time. */
  readonly threadBusy: number;
  /** Busy share of the event loop that holds the calls. */
  readonly loopBusy: number;
  /** Duration of the slowest batch of the last second. */
  readonly slowestMs: number;
  /** Live calls as a share of the calls the node may hold. */
  readonly callShare: number;
  /** Calls whose noise is being suppressed. */
  readonly denoised: number;
}

export const FULL_CAPACITY: Capacity = { detects: true, denoised: Infinity, busyLooks: 0, calmLooks: 0 };

/** Any one of these makes a node busy; all of `CALM` together make it calm. In between, nothing changes. */
const BUSY = { threadBusy: 0.8, loopBusy: 0.85, slowestMs: 60, callShare: 0.9 } as const;
const CALM = { threadBusy: 0.6, loopBusy: 0.65, slowestMs: 30, callShare: 0.8 } as const;
const MEASURES = ["threadBusy", "loopBusy", "slowestMs", "callShare"] as const;
/** Capacity shrinks after this many busy looks, and grows after this many calm ones. */
const LESS_AFTER = 2;
const MORE_AFTER = 10;
/** Noise suppression costs by far the most, so it goes first, a third of its calls at a time. */
const KEPT = 2 / 3;
/** Noise suppression comes back a tenth at a time. */
const REGAINED = 1.1;

/** The capacity after another look at the node. */
export function adapt(before: Capacity, load: NodeLoad): Capacity {
  const isBusy = MEASURES.some((measure) => load[measure] >= BUSY[measure]);
  const isCalm = MEASURES.every((measure) => load[measure] <= CALM[measure]);
  const busyLooks = isBusy ? before.busyLooks + 1 : 0;
  const calmLooks = isCalm ? before.calmLooks + 1 : 0;
  const after = { ...before, busyLooks, calmLooks };
  if (busyLooks >= LESS_AFTER) return { ...less(after, load), busyLooks: 0 };
  if (calmLooks >= MORE_AFTER) return more(after, load);
  return after;
}

function less(before: Capacity, { denoised }: NodeLoad): Capacity {
  if (denoised > 0) return { ...before, denoised: Math.floor(denoised * KEPT) };
  return { ...before, denoised: 0, detects: false };
}

function more(before: Capacity, { denoised }: NodeLoad): Capacity {
  if (!before.detects) return { ...before, detects: true, calmLooks: 0 };
  return { ...before, denoised: Math.max(before.denoised, Math.ceil((denoised + 1) * REGAINED)) };
}
