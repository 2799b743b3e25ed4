import type { BrainRequest } from "../../contracts/brain.ts";
import { storable } from "../../contracts/storable.ts";
import type { ControlApiTool } from "../../contracts/tools/control-api-tool.ts";
import type { PlannedTool } from "../../contracts/tools/kinds.ts";
import type { ControlApiTools } from "../../tool-runs/port.ts";
import { asJson } from "../model/chunks.ts";
import { type HttpToolContext, runHttpTool } from "./http-tool.ts";
import { endCall, handOff, playKeys, transfer } from "./line-tools.ts";
import { type Arguments, failed, notRun, type ToolOutcome } from "./outcome.ts";

export interface ToolRun extends ToolOutcome {
  /** The parsed arguments; the model's own text when it is no JSON object. */
  readonly arguments: unknown;
}

export interface ToolContext extends HttpToolContext {
  /** False: no external endpoint is called. */
  readonly runTools: boolean;
  /** Runs the tools that live in the control API. */
  readonly controlApiTools: ControlApiTools;
  readonly orgId: string;
  readonly request: BrainRequest;
  readonly traceparent: string | undefined;
  /** Agents to whom the conversation can be handed off. */
  readonly handsTo: readonly string[];
}

/** A tool that a brain called. */
export interface CalledTool {
  readonly name: string;
  /** The arguments as the model wrote them; not always JSON. */
  readonly argumentsText: string;
}

type Run<T extends PlannedTool> = (
  tool: T,
  args: Arguments,
  context: ToolContext,
) => ToolOutcome | Promise<ToolOutcome>;

/** The runner of each kind of tool. */
const RUNS: { readonly [K in PlannedTool["kind"]]: Run<Extract<PlannedTool, { kind: K }>> } = {
  http: (tool, args, context) => (context.runTools ? runHttpTool(tool, args, context) : notRun()),
  end_call: (_tool, args) => endCall(args),
  play_keys: (_tool, args) => playKeys(args),
  transfer: (tool, args) => transfer(tool, args),
  hand_off: (tool, args, { handsTo }) => handOff(tool, args, handsTo),
  control_api: (tool, args, context) => (context.runTools ? runInControlApi(tool, args, context) : notRun()),
  given: ({ status, result }) => ({ status, result }),
};

function runInControlApi(
  tool: ControlApiTool,
  args: Arguments,
  { controlApiTools, request, ...context }: ToolContext,
): Promise<ToolOutcome> {
  const { sessionId, turn, query: said, heard } = request;
  const { orgId, identifier, traceparent, signal } = context;
  return controlApiTools.run({
    ...{ tool, arguments: args, orgId, sessionId, turn, said, identifier, traceparent, signal },
    unheardTurn: heard?.text === "" ? heard.turn : undefined,
  });
}

/** Runs the tool a model called. Never throws. */
export async function runTool(
  call: CalledTool,
  tools: readonly PlannedTool[],
  context: ToolContext,
): Promise<ToolRun> {
  const args = argumentsOf(call.argumentsText);
  const tool = tools.find(({ name }) => name === call.name);
  const given = storable(args ?? call.argumentsText);
  const outcome = await outcomeOf(tool, args, context);
  return { ...outcome, arguments: given, result: storable(outcome.result) };
}

function outcomeOf(
  tool: PlannedTool | undefined,
  args: Arguments | undefined,
  context: ToolContext,
): ToolOutcome | Promise<ToolOutcome> {
  if (!tool) return failed("not_found", "There is no such tool.", "not_found");
  if (!args) return failed("invalid_arguments", "The arguments are no JSON object; call the tool again.");
  const run = RUNS[tool.kind] as Run<PlannedTool>;
  return run(tool, args, context);
}

/** Parses arguments; undefined unless they are a JSON object. Some models send an empty text for no arguments. */
function argumentsOf(text: string): Arguments | undefined {
  const value = text.trim() === "" ? {} : asJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Arguments)
    : undefined;
}
