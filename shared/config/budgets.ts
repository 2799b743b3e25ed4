/** The share of the database for one kind of work, so that no other kind waits for it. */
export interface PoolBudget {
  /** Maximum connections. */
  readonly connections: number;
  /** How long a caller waits for a connection. */
  readonly waitMs: number;
  /** The server cancels a statement after this; 0: never. */
  readonly statementTimeoutMs: number;
  /** Settings of Postgres by name, for every statement. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Compiling a plan takes longer than any of these queries. */
const NO_JIT = { jit: "off" };
/**
 * Background statements are prepared and planned once: a plan made while a table had few rows scans it from end to
 * end for as long as the plan lives.
 */
const BY_INDEX = { ...NO_JIT, enable_seqscan: "off" };

/**
 * `calls`: begins, answers, and controls calls. `reads`: lists and searches. `background`: event projector, webhooks,
 * sweepers.
 */
export type PoolName = "calls" | "reads" | "background";

export type Budgets = Readonly<Record<PoolName, PoolBudget>>;

/** The defaults when nothing is configured; `docs/operations.md#connections` counts them. */
export const STANDARD_BUDGETS: Budgets = {
  calls: { connections: 10, waitMs: 5_000, statementTimeoutMs: 10_000, settings: NO_JIT },
  reads: { connections: 5, waitMs: 2_000, statementTimeoutMs: 5_000, settings: NO_JIT },
  background: { connections: 7, waitMs: 10_000, statementTimeoutMs: 30_000, settings: BY_INDEX },
};

/** For locks that outlive a transaction, if a pooler lends connections for one only: as many as there are such locks. */
export const SESSIONS: PoolBudget = {
  connections: 3,
  waitMs: 10_000,
  statementTimeoutMs: 30_000,
  settings: NO_JIT,
};

/** For work of unlimited duration: migrations and index builds. */
export const UNBOUNDED: PoolBudget = {
  connections: 2,
  waitMs: 10_000,
  statementTimeoutMs: 0,
  settings: NO_JIT,
};
