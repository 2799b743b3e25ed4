import type { BrainControl } from "../../contracts/brain.ts";
import type { ToolStatus } from "../../contracts/tool-status.ts";

/** What a tool was called with. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The error's code in the result of a tool that did not run. */
const TOOL_NOT_RUN = "not_run";

/** What came of a tool call (docs/webhooks.md#toolinvoked). */
export interface ToolOutcome {
  readonly status: ToolStatus;
  readonly result: unknown;
  /** What the call has to do. */
  readonly control?: BrainControl;
  /** The model has no more to say in this turn. */
  readonly endsTurn?: boolean;
}

/** Of a test that runs no tools: what a model said to an invented result would show nothing. */
export function notRun(): ToolOutcome {
  const message = "Tools did not run in this test; the answer ends here.";
  return { ...failed(TOOL_NOT_RUN, message, "abandoned"), endsTurn: true };
}

export function failed(code: string, message: string, status: ToolOutcome["status"] = "error"): ToolOutcome {
  return { status, result: { error: { code, message } } };
}
