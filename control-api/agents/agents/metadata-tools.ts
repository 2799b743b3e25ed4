import {
  type ChangeAgent,
  type CreateAgent,
  type NewAgent,
  newAgentSchema,
} from "@parley/shared/contracts/agents.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { invalidInput, parseInput } from "@parley/shared/contracts/problems.ts";

/**
 * Normalizes a new agent whose tools are given as `metadata.tools`, an alias of `brain.tools`. Throws `AppError`
 * validation_failed when both are given, or when the brain cannot have such a tool.
 */
export function newAgentOf({ metadata, ...agent }: CreateAgent): NewAgent {
  const tools = metadata?.tools;
  if (tools === undefined) return agent;
  if (agent.brain.tools.length > 0) throw givenTwice();
  return parseInput(newAgentSchema, { ...agent, brain: { ...agent.brain, tools } }, "body");
}

/** A change whose tools are given as `metadata.tools`. Throws `AppError` validation_failed if both are given. */
export function changeOf({ metadata, ...change }: ChangeAgent): ChangeAgent {
  const tools = metadata?.tools;
  if (tools === undefined) return change;
  const brain = isObject(change.brain) ? change.brain : {};
  if (brain.tools !== undefined) throw givenTwice();
  return { ...change, brain: { ...brain, tools } };
}

function givenTwice() {
  return invalidInput("body", [
    { field: "metadata.tools", text: "is the same list as brain.tools; send one of the two" },
  ]);
}
