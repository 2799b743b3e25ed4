import type { ToolStatus } from "../contracts/tool-status.ts";
import type { ControlApiTool } from "../contracts/tools/control-api-tool.ts";

/** A call of a tool that runs in the control API, as the asker of the brain has it. */
export interface CalledControlApiTool {
  readonly tool: ControlApiTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly orgId: string;
  readonly sessionId: string;
  /** The turn in which the tool was called, and what the caller said in it. */
  readonly turn: number;
  readonly said: string;
  /** The turn whose answer was cut before any of it was heard. */
  readonly unheardTurn?: number | undefined;
  /** The caller's identity, when someone vouches for it. */
  readonly identifier: string | null;
  readonly traceparent?: string | undefined;
  /** Aborted when nobody waits for the run any more: the vendor's request is canceled. */
  readonly signal: AbortSignal;
}

/** The outcome of the run. */
export interface ControlApiToolOutcome {
  readonly status: ToolStatus;
  readonly result: unknown;
}

/** Runs tools in the control API: over the bus for a gateway, directly within the control API. */
export interface ControlApiTools {
  /** Never throws: a failure is an outcome that a model understands. */
  run(called: CalledControlApiTool): Promise<ControlApiToolOutcome>;
}
