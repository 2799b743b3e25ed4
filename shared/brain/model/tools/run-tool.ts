import { brainControlSchema } from "../../../contracts/brain.ts";
import type { ToolPlan, TransferTool } from "../../../contracts/brain-plan.ts";
import { storable } from "../../../contracts/storable.ts";
import { transferOrderSchema } from "../../../contracts/transfers.ts";
import { asJson } from "../chunks.ts";
import type { ToolCall } from "../messages.ts";
import { type Arguments, type HttpToolContext, runHttpTool } from "./http-tool.ts";
import { failed, notRun, type ToolOutcome } from "./outcome.ts";

export interface ToolRun extends ToolOutcome {
  /** As parsed; the model's own text when it is no JSON object. */
  readonly arguments: unknown;
}

export interface ToolContext extends HttpToolContext {
  /** False: nobody's endpoint is called. */
  readonly runTools: boolean;
}

/** Runs what the model called. Never throws. */
export async function runTool(
  call: ToolCall,
  tools: readonly ToolPlan[],
  context: ToolContext,
): Promise<ToolRun> {
  const args = argumentsOf(call.argumentsText);
  const tool = tools.find(({ name }) => name === call.name);
  const given = storable(args ?? call.argumentsText);
  const outcome = await outcomeOf(tool, args, context);
  return { ...outcome, arguments: given, result: storable(outcome.result) };
}

function outcomeOf(
  tool: ToolPlan | undefined,
  args: Arguments | undefined,
  context: ToolContext,
): ToolOutcome | Promise<ToolOutcome> {
  if (!tool) return failed("not_found", "There is no such tool.", "not_found");
  if (!args) return failed("invalid_arguments", "The arguments are no JSON object; call the tool again.");
  switch (tool.kind) {
    case "http":
      return context.runTools ? runHttpTool(tool, args, context) : notRun();
    case "end_call":
      return endCall(args);
    case "play_keys":
      return playKeys(args);
    case "transfer":
      return transfer(tool, args);
  }
}

/** Undefined when it is no JSON object. Nothing at all is what some models send for no arguments. */
function argumentsOf(text: string): Arguments | undefined {
  const value = text.trim() === "" ? {} : asJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Arguments)
    : undefined;
}

function endCall({ farewell }: Arguments): ToolOutcome {
  const control = brainControlSchema.safeParse({ event: "call_end", farewell });
  // Whatever is wrong with its farewell, the model wants to hang up.
  return {
    status: "success",
    result: { ok: true },
    control: control.success ? control.data : { event: "call_end" },
    endsTurn: true,
  };
}

function playKeys({ digits }: Arguments): ToolOutcome {
  const control = brainControlSchema.safeParse({ event: "dtmf", digits: String(digits) });
  if (!control.success)
    return failed("invalid_arguments", "digits has to be 1 to 64 of 0-9, A-D, #, *, w and the comma.");
  return { status: "success", result: { ok: true }, control: control.data };
}

function transfer({ destinations }: TransferTool, { destination, whisper }: Arguments): ToolOutcome {
  const found = destinations.find(({ name }) => name === destination);
  if (!found) {
    const names = destinations.map(({ name }) => name).join(", ");
    return failed("invalid_arguments", `destination has to be one of: ${names}.`);
  }
  const { number: to, mode } = found;
  const order = transferOrderSchema.safeParse(mode === "warm" ? { to, mode, whisper } : { to });
  if (!order.success)
    return failed("invalid_arguments", "whisper has to be 1 to 500 characters for this destination.");
  const control = { event: "transfer", ...(mode === "warm" ? order.data : { to }) } as const;
  return { status: "success", result: { ok: true }, control, endsTurn: true };
}
