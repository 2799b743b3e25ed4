import type { ToolPlan, TransferTool } from "../../../contracts/brain-plan.ts";

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** The tools that work in a medium: in text there is no line to hang up, transfer or press keys on. */
export function toolsFor(tools: readonly ToolPlan[], medium: "voice" | "text"): readonly ToolPlan[] {
  return medium === "voice" ? tools : tools.filter(({ kind }) => kind === "http");
}

export function definitionOf(tool: ToolPlan): ToolDefinition {
  const { name, description } = tool;
  return { type: "function", function: { name, description, parameters: parametersOf(tool) } };
}

function parametersOf(tool: ToolPlan): Readonly<Record<string, unknown>> {
  switch (tool.kind) {
    case "http":
      return tool.parameters;
    case "end_call":
      return object({ farewell: { type: "string", description: "Said before the line is closed." } }, []);
    case "play_keys":
      return object({ digits: { type: "string", description: "0-9, #, *, A-D; w and , wait." } }, ["digits"]);
    case "transfer":
      return transferParameters(tool.destinations);
  }
}

function transferParameters(destinations: TransferTool["destinations"]) {
  const destination = { type: "string", enum: destinations.map(({ name }) => name) };
  const warm = destinations.filter(({ mode }) => mode === "warm").map(({ name }) => name);
  const description = `Told to the person who is called before the caller is put through: who they are and what they want. Needed for: ${warm.join(", ")}.`;
  const whisper = { type: "string", description };
  return object({ destination, ...(warm.length > 0 ? { whisper } : {}) }, ["destination"]);
}

function object(properties: object, required: readonly string[]): Readonly<Record<string, unknown>> {
  return { type: "object", properties, required, additionalProperties: false };
}
