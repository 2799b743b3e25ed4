import type { ToolStatus } from "../contracts/tool-status.ts";
import type { ControlApiTool } from "../contracts/tools/control-api-tool.ts";

/** A call of a tool that runs in the control API, as whoever asks the brain has it. */
export interface CalledControlApiTool {
  readonly tool: ControlApiTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly orgId: string;
  readonly sessionId: string;
  /** In which turn it was called, and what the caller said in it. */
  readonly turn: number;
  readonly said: string;
  /** The turn whose answer was cut before anything of it was heard. */
  readonly unheardTurn?: number | undefined;
  /** Who the caller is, when somebody vouches for it. */
  readonly identifier: string | null;
  readonly traceparent?: string | undefined;
  /** Aborted when nobody waits for it any more: the vendor's request is given up. */
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface ControlApiToolOutcome {
  readonly status: ToolStatus;
  readonly result: unknown;
}

/** Runs tools in the control API: over the bus for a gateway, at once within the control API. */
export interface ControlApiTools {
  /** Never throws: what goes wrong is an outcome that a model understands. */
  run(called: CalledControlApiTool): Promise<ControlApiToolOutcome>;
}
