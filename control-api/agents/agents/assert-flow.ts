import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import { BUILT_IN_VARIABLES } from "@parley/shared/contracts/call-variables.ts";
import { flowFaults } from "@parley/shared/contracts/flows/checks.ts";
import type { FlowFault } from "@parley/shared/contracts/flows/fault.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";

/**
 * Rejects a flow that callers would get lost in: whatever is saved answers the next call. Throws `AppError`
 * validation_failed, naming each faulty node and what to change.
 */
export function assertFlow({ brain, variables }: Pick<AgentConfig, "brain" | "variables">): void {
  if (brain.kind !== "flow") return;
  const { flow, tools, model } = brain;
  const known = [...BUILT_IN_VARIABLES, ...variables.map(({ name }) => name)];
  const faults = flowFaults(flow, { tools, hasModel: model !== undefined, variables: known });
  if (faults.length === 0) return;
  const fieldOf = ({ node, field }: FlowFault): string => {
    if (field !== undefined) return `brain.flow.${field}`;
    const index = flow.nodes.findIndex(({ id }) => id === node);
    return index === -1 ? "brain.flow" : `brain.flow.nodes.${index}`;
  };
  throw invalidInput(
    "body",
    faults.map((fault) => ({ field: fieldOf(fault), text: fault.text })),
  );
}
