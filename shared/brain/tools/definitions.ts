import { kindCalled, type PlannedTool } from "../../contracts/tools/kinds.ts";
import type { Medium, ToolParameters } from "../../contracts/tools/tool-kind.ts";

/** A tool as described to a model. */
export interface ToolDefinition {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: ToolParameters;
  };
}

/** The tools that work in a medium. */
export function toolsFor(tools: readonly PlannedTool[], medium: Medium): readonly PlannedTool[] {
  return tools.filter((tool) => ("media" in tool ? tool : kindCalled(tool.kind)).media.includes(medium));
}

export function definitionOf(tool: PlannedTool): ToolDefinition {
  const { name, description } = tool;
  return { type: "function", function: { name, description, parameters: parametersOf(tool) } };
}

/** What a tool is called with, as a JSON Schema. */
export function parametersOf(tool: PlannedTool): ToolParameters {
  return "media" in tool ? tool.parameters : (kindCalled(tool.kind).parameters?.(tool) ?? {});
}
