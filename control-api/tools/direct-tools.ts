import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
import { type RunnerDeps, runTool } from "./runner.ts";
import type { VersionTools } from "./store.ts";

export interface DirectToolsDeps extends RunnerDeps {
  readonly tools: VersionTools;
}

/** Runs tools for conversations in this process: chats, and tests of a brain. */
export function directTools(deps: DirectToolsDeps): ControlApiTools {
  return {
    run: ({ tool, ...called }) =>
      runTool(
        async () => {
          const found = await deps.tools.find({ ...tool, orgId: called.orgId });
          return found && { tool: found };
        },
        { ...called, agentId: tool.agentId },
        deps,
      ),
  };
}
