import type { BrainControl } from "../../../contracts/brain.ts";
import type { ToolStatus } from "../../../contracts/tool-status.ts";

/** What came of a tool call (spec 2, tool.invoked). */
export interface ToolOutcome {
  readonly status: ToolStatus;
  readonly result: unknown;
  /** What the call has to do. */
  readonly control?: BrainControl;
  /** The model has no more to say in this turn. */
  readonly endsTurn?: boolean;
}

export function failed(code: string, message: string, status: ToolOutcome["status"] = "error"): ToolOutcome {
  return { status, result: { error: { code, message } } };
}
