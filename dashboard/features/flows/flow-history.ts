/** A flow's earlier states, and undone ones. */
export interface FlowHistory {
  readonly past: readonly unknown[];
  readonly future: readonly unknown[];
  /** What changed last and when: letters typed in one field make one step. */
  readonly last: { readonly what: string; readonly atMs: number } | undefined;
}

export const NO_HISTORY: FlowHistory = { past: [], future: [], last: undefined };

const MOST_STEPS = 100;
const ONE_STEP_MS = 1_000;

/**
 * Adds a change to the history.
 * @param before the flow that was changed
 * @param what names a change of which repeats within a second extend the same step; undefined: a step of its own
 */
export function recorded(
  history: FlowHistory,
  before: unknown,
  what: string | undefined,
  atMs: number,
): FlowHistory {
  const { last, past } = history;
  const isSameStep = what !== undefined && last?.what === what && atMs - last.atMs < ONE_STEP_MS;
  return {
    past: isSameStep ? past : [...past, before].slice(-MOST_STEPS),
    future: [],
    last: what === undefined ? undefined : { what, atMs },
  };
}

export interface Step {
  readonly history: FlowHistory;
  readonly flow: unknown;
}

export function undone({ past, future }: FlowHistory, now: unknown): Step | undefined {
  if (past.length === 0) return undefined;
  return {
    flow: past.at(-1),
    history: { past: past.slice(0, -1), future: [now, ...future], last: undefined },
  };
}

export function redone({ past, future }: FlowHistory, now: unknown): Step | undefined {
  const [flow, ...rest] = future;
  if (future.length === 0) return undefined;
  return { flow, history: { past: [...past, now], future: rest, last: undefined } };
}
