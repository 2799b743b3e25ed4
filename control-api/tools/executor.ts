import type { ToolStatus } from "@parley/shared/contracts/tool-status.ts";
import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import type { ToolParameters } from "@parley/shared/contracts/tools/tool-kind.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** A tool as a model sees it, and the effect of running it. */
export interface ToolDescription {
  readonly description: string;
  /** JSON Schema of the arguments that the model fills in; arguments the builder fixed are excluded. */
  readonly parameters: ToolParameters;
  /**
   * `read` changes nothing. `write` takes effect once per idempotency key. `write_once` takes effect on every run, so
   * it is never retried while its outcome is unknown.
   */
  readonly effect: "read" | "write" | "write_once";
}

/** A fault in a tool's settings; `field` names the setting. */
export interface ToolFault {
  readonly field: string;
  /** What to do, phrased to follow the field's name. */
  readonly text: string;
}

/** One run of a tool. */
export interface ToolRun {
  readonly orgId: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** As the model gave them: an object, otherwise unchecked. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Equal for all attempts at one write. */
  readonly idempotencyKey: string;
  /** The caller's identity, if it is vouched for. */
  readonly identifier: string | null;
  readonly traceparent: string | undefined;
  /** Aborted at the tool's deadline, and when no one waits any more. */
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  readonly status: ToolStatus;
  /** JSON. */
  readonly result: unknown;
}

/** A run that has begun to read what it needs. */
export type PreparedRun = (run: ToolRun) => Promise<ToolOutcome>;

/** Runs the tools of one kind. */
export interface ToolExecutor<T extends BusToolSettings = BusToolSettings> {
  /** Undefined if the tool's target no longer exists: the model is not told of the tool. Calls wait for it to begin. */
  describe(tool: T, orgId: string): Promise<ToolDescription | undefined>;
  /** Reasons why the tool would not work for this organization. */
  faults(tool: T, orgId: string): Promise<readonly ToolFault[]>;
  /**
   * Runs in the transaction that gives the tool to an agent: protects the tool's target from deletion until it ends.
   * Absent for tools without such a target.
   */
  hold?(tool: T, orgId: string, trx: Kysely<Tables>): Promise<readonly ToolFault[]>;
  /** Throws `AppError` for errors that the model and its owner should see; `vendor_rejected` and the like are final. */
  run(tool: T, run: ToolRun): Promise<ToolOutcome>;
  /**
   * Begins to read from the database what `run` would read first; the result takes its place. Called before it is decided
   * whether the tool runs here, or at all, and so in every process: cheap reads only. Absent where nothing is gained.
   */
  prepare?(tool: T, orgId: string): PreparedRun;
}

/** Executors by tool kind. Agents here cannot be given tools of a kind without one. */
export type ToolExecutors = {
  readonly [K in BusToolSettings["kind"]]?: ToolExecutor<Extract<BusToolSettings, { kind: K }>>;
};

export function executorOf(executors: ToolExecutors, tool: BusToolSettings): ToolExecutor | undefined {
  return executors[tool.kind] as ToolExecutor | undefined;
}
