import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
import type { Database } from "../database/open.ts";
import { type RunnerDeps, runTool } from "./runner.ts";
import { findTool } from "./store.ts";

export interface DirectToolsDeps extends RunnerDeps {
  readonly database: Database;
}

/** Runs tools for conversations in this process: chats, and tests of a brain. */
export function directTools(deps: DirectToolsDeps): ControlApiTools {
  return {
    run: ({ tool, ...called }) =>
      runTool(
        () => findTool(deps.database, { ...tool, orgId: called.orgId }),
        { ...called, agentId: tool.agentId },
        deps,
      ),
  };
}
