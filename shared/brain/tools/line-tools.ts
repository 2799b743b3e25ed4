import { brainControlSchema } from "../../contracts/brain-control.ts";
import { cutText } from "../../contracts/storable.ts";
import type { HandOffTool } from "../../contracts/tools/hand-off.ts";
import type { TransferTool } from "../../contracts/tools/transfer.ts";
import { transferOrderSchema } from "../../contracts/transfers.ts";
import { type Arguments, failed, type ToolOutcome } from "./outcome.ts";

/** Tools that need the call's line: each becomes a control event, which the call carries out. */

export function endCall({ farewell }: Arguments): ToolOutcome {
  return {
    status: "success",
    result: { ok: true },
    control: brainControlSchema.parse({ event: "call_end", farewell }),
    endsTurn: true,
  };
}

export function playKeys({ digits }: Arguments): ToolOutcome {
  const control = brainControlSchema.safeParse({ event: "dtmf", digits: String(digits) });
  if (!control.success)
    return failed("invalid_arguments", "digits has to be 1 to 64 of 0-9, A-D, #, *, w and the comma.");
  return { status: "success", result: { ok: true }, control: control.data };
}

export function transfer({ destinations }: TransferTool, { destination, whisper }: Arguments): ToolOutcome {
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

/** Hands the conversation to another agent, with what that agent has to know. */
export function handOff(
  { agents }: HandOffTool,
  { agent, summary }: Arguments,
  handsTo: readonly string[],
): ToolOutcome {
  const found = agents.find(({ name }) => name === agent);
  if (!found) {
    const names = agents.map(({ name }) => name).join(", ");
    return failed("invalid_arguments", `agent has to be one of: ${names}.`);
  }
  const { agentId } = found;
  if (!handsTo.includes(agentId)) return failed("unavailable", "That agent is not there; go on yourself.");
  const told = typeof summary === "string" ? cutText(summary, MAX_SUMMARY_CHARS) : "";
  const control = { event: "hand_off", agentId, variables: { summary: told } } as const;
  return { status: "success", result: { ok: true }, control, endsTurn: true };
}

const MAX_SUMMARY_CHARS = 4_000;
