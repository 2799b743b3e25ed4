/** What one kind of work may have of the database, so that no other kind waits for it. */
export interface PoolBudget {
  /** Connections at most. */
  readonly connections: number;
  /** How long somebody waits for one of them. */
  readonly waitMs: number;
  /** After this the server gives a statement up; 0: never. */
  readonly statementTimeoutMs: number;
  /** Settings of its sessions, as `PGOPTIONS` has them. */
  readonly settings: string;
}

/** Compiling a plan takes longer than anything that is asked here. */
const NO_JIT = "-c jit=off";
/**
 * What runs in the background is prepared, and planned once: made while a table had a few rows, a plan reads it from end
 * to end for as long as it lives.
 */
const BY_INDEX = `${NO_JIT} -c enable_seqscan=off`;

/** `calls`: what begins, answers and controls calls. `reads`: lists and searches. `background`: event projector, webhooks, sweepers. */
export type PoolName = "calls" | "reads" | "background";

export type Budgets = Readonly<Record<PoolName, PoolBudget>>;

/** As they are when nothing is configured; `docs/operations.md#connections` counts them. */
export const STANDARD_BUDGETS: Budgets = {
  calls: { connections: 10, waitMs: 5_000, statementTimeoutMs: 10_000, settings: NO_JIT },
  reads: { connections: 5, waitMs: 2_000, statementTimeoutMs: 5_000, settings: NO_JIT },
  background: { connections: 7, waitMs: 10_000, statementTimeoutMs: 30_000, settings: BY_INDEX },
};

/** For work that takes as long as it takes: migrations and the building of indexes. */
export const UNBOUNDED: PoolBudget = {
  connections: 2,
  waitMs: 10_000,
  statementTimeoutMs: 0,
  settings: NO_JIT,
};
