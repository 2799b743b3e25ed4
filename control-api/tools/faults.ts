import type { BrainSettings } from "@parley/shared/contracts/brain-plan.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";
import { isBusTool } from "@parley/shared/contracts/tools/kinds.ts";
import { executorOf, type ToolExecutors, type ToolFault } from "./executor.ts";

/** Holds tools that run here against what the organization has. Throws `AppError` validation_failed, which names each fault. */
export async function assertTools(
  { tools }: Pick<BrainSettings, "tools">,
  orgId: string,
  executors: ToolExecutors,
): Promise<void> {
  const faults = await Promise.all(
    tools.map(async (tool, index) => {
      if (!isBusTool(tool)) return [];
      const executor = executorOf(executors, tool);
      const found: readonly ToolFault[] = executor
        ? await executor.faults(tool, orgId)
        : [{ field: "kind", text: `${tool.kind} tools cannot run on this server` }];
      return found.map(({ field, text }) => ({ field: `brain.tools.${index}.${field}`, text }));
    }),
  );
  const all = faults.flat();
  if (all.length > 0) throw invalidInput("body", all);
}
