import type { BrainSettings } from "@parley/shared/contracts/brain-plan.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";
import { type BusToolSettings, isBusTool } from "@parley/shared/contracts/tools/kinds.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { executorOf, type ToolExecutors, type ToolFault } from "./executor.ts";

/** Checks tools that run here for an organization. Throws `AppError` validation_failed, which names each fault. */
export async function assertTools(brain: Tools, orgId: string, executors: ToolExecutors): Promise<void> {
  await assertNone(brain, async (tool) => {
    const executor = executorOf(executors, tool);
    if (executor) return executor.faults(tool, orgId);
    return [{ field: "kind", text: `${tool.kind} tools cannot run on this server` }];
  });
}

/**
 * Within the transaction that gives tools to an agent, protects their targets from deletion until it ends. Throws as
 * `assertTools` for targets deleted since.
 */
export async function holdTools(
  brain: Tools,
  orgId: string,
  executors: ToolExecutors,
  trx: Kysely<Tables>,
): Promise<void> {
  await assertNone(brain, async (tool) => executorOf(executors, tool)?.hold?.(tool, orgId, trx) ?? []);
}

type Tools = Pick<BrainSettings, "tools">;

async function assertNone(
  { tools }: Tools,
  faultsOf: (tool: BusToolSettings) => Promise<readonly ToolFault[]>,
): Promise<void> {
  const faults = await Promise.all(
    tools.map(async (tool, index) => {
      const found = isBusTool(tool) ? await faultsOf(tool) : [];
      return found.map(({ field, text }) => ({ field: `brain.tools.${index}.${field}`, text }));
    }),
  );
  const all = faults.flat();
  if (all.length > 0) throw invalidInput("body", all);
}
