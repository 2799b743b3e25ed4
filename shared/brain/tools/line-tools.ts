import { brainControlSchema } from "../../contracts/brain.ts";
import type { TransferTool } from "../../contracts/tools/transfer.ts";
import { transferOrderSchema } from "../../contracts/transfers.ts";
import { type Arguments, failed, type ToolOutcome } from "./outcome.ts";

/** Tools that need the call's line: each becomes a control event, which the call carries out. */

export function endCall({ farewell }: Arguments): ToolOutcome {
  const control = brainControlSchema.safeParse({ event: "call_end", farewell });
  // Whatever is wrong with its farewell, the model wants to hang up.
  return {
    status: "success",
    result: { ok: true },
    control: control.success ? control.data : { event: "call_end" },
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
