import type { ToolStatus } from "@parley/shared/contracts/tool-status.ts";
import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import type { ToolParameters } from "@parley/shared/contracts/tools/tool-kind.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** What a model is told of a tool, and what running it may change. */
export interface ToolDescription {
  readonly description: string;
  /** JSON Schema of the arguments that the model gives; what the builder has fixed is not among them. */
  readonly parameters: ToolParameters;
  /**
   * `read` changes nothing. `write` changes something, once however often it is asked for with one idempotency key.
   * `write_once` changes something each time, so that it is never tried again while it is not known what became of it.
   */
  readonly effect: "read" | "write" | "write_once";
}

/** What is wrong with a tool's settings; `field` is a field of them. */
export interface ToolFault {
  readonly field: string;
  /** What to do, as it follows the field's name. */
  readonly text: string;
}

/** One run of a tool. */
export interface ToolRun {
  readonly orgId: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** As the model gave them; nothing is known of them but that they are an object. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The same for each try of one write. */
  readonly idempotencyKey: string;
  /** Who the caller is, when somebody vouches for it. */
  readonly identifier: string | null;
  readonly traceparent: string | undefined;
  /** Aborted at the tool's deadline, and when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  readonly status: ToolStatus;
  /** JSON. */
  readonly result: unknown;
}

/** Runs the tools of one kind. */
export interface ToolExecutor<T extends BusToolSettings = BusToolSettings> {
  /** Undefined when what it names is not there (any more): the model is not told of it. A call waits for it to begin. */
  describe(tool: T, orgId: string): Promise<ToolDescription | undefined>;
  /** What would keep it from working for this organization. */
  faults(tool: T, orgId: string): Promise<readonly ToolFault[]>;
  /**
   * In the transaction that gives it to an agent: keeps what it names from being deleted until that is over. Absent where it
   * names nothing that could be.
   */
  hold?(tool: T, orgId: string, trx: Kysely<Tables>): Promise<readonly ToolFault[]>;
  /** Throws `AppError` for what a model and its owner should know; `vendor_rejected` and the like are final. */
  run(tool: T, run: ToolRun): Promise<ToolOutcome>;
}

/** By the kind that settings have. A kind without one cannot be given to an agent here. */
export type ToolExecutors = {
  readonly [K in BusToolSettings["kind"]]?: ToolExecutor<Extract<BusToolSettings, { kind: K }>>;
};

export function executorOf(executors: ToolExecutors, tool: BusToolSettings): ToolExecutor | undefined {
  return executors[tool.kind] as ToolExecutor | undefined;
}
