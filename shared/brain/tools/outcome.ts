import type { BrainControl } from "../../contracts/brain-control.ts";
import type { ToolStatus } from "../../contracts/tool-status.ts";

/** What a tool was called with. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The error code in the result of a tool that did not run. */
const TOOL_NOT_RUN = "not_run";

/** The result of a tool call (docs/webhooks.md#toolinvoked). */
export interface ToolOutcome {
  readonly status: ToolStatus;
  readonly result: unknown;
  /** What the call has to do next. */
  readonly control?: BrainControl;
  /** True when the model has no more to say in this turn. */
  readonly endsTurn?: boolean;
}

/** The outcome in a test that runs no tools: a model's reply to an invented result would prove nothing. */
export function notRun(): ToolOutcome {
  const message = "Tools did not run in this test; the answer ends here.";
  return { ...failed(TOOL_NOT_RUN, message, "abandoned"), endsTurn: true };
}

export function failed(code: string, message: string, status: ToolOutcome["status"] = "error"): ToolOutcome {
  return { status, result: { error: { code, message } } };
}
