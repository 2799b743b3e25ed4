import type { CallCommand, CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { TransferFailure } from "@parley/shared/contracts/transfers.ts";
import type { CallOrder } from "../call/live-call.ts";

export type Transferring = Extract<CallCommand, { command: "transferring" }>;

/** Commands that a live call with an agent can follow. */
export interface AgentCallOrders {
  say(text: string): void;
  mute(ms: number): void;
  announce(text: string, ms: number): void;
  greet(): void;
  leave(text: string, reason: string): void;
  transferring(order: Transferring): void;
  transferFailed(why: TransferFailure, tell: boolean): void;
  /** Milliseconds since the caller's last voice. */
  quiet(): { quietMs?: number };
}

/** Carries out a command of the control API. Throws bad_request for a command that only manual calls support. */
export function executeOrder(call: AgentCallOrders, order: CallOrder): CallCommandReply {
  switch (order.command) {
    case "say":
      call.say(order.text);
      return { ok: true };
    case "mute":
      call.mute(order.ms);
      return { ok: true };
    case "announce":
      call.announce(order.text, order.ms);
      return { ok: true };
    case "greet":
      call.greet();
      return { ok: true };
    case "leave":
      call.leave(order.text, order.reason);
      return { ok: true };
    case "transferring":
      call.transferring(order);
      return { ok: true };
    case "transfer_failed":
      call.transferFailed(order.why, order.tell);
      return { ok: true };
    case "voice":
      return { ok: true, ...call.quiet() };
    case "play":
    case "play_track":
      return { ok: false, code: "bad_request", message: "Audio can only be played into manual calls." };
    case "answer":
      return { ok: false, code: "bad_request", message: "Only incoming manual calls are answered." };
  }
}
