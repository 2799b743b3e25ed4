import { executorOf, type ToolExecutors } from "./executor.ts";
import type { FoundTool } from "./runner.ts";
import type { ToolPlace, VersionTools } from "./store.ts";

/**
 * A tool in a gateway's call; undefined when there is no such tool, or the call does not exist or is over. The run is
 * prepared while that is looked up: a caller waits for both.
 */
export async function findOfCall(
  place: ToolPlace & { readonly sessionId: string },
  {
    tools,
    executors,
  }: { readonly tools: Pick<VersionTools, "find" | "isOngoing">; readonly executors: ToolExecutors },
): Promise<FoundTool | undefined> {
  const find = async (): Promise<FoundTool | undefined> => {
    const tool = await tools.find(place);
    return tool && { tool, prepared: executorOf(executors, tool)?.prepare?.(tool, place.orgId) };
  };
  const [isOngoing, found] = await Promise.all([tools.isOngoing(place), find()]);
  return isOngoing ? found : undefined;
}
