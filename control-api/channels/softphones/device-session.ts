import type { Bus } from "@parley/shared/bus/bus.ts";
import type { DeviceSession } from "@parley/shared/contracts/softphones.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { callSocketUrl } from "../gateways/call-socket-url.ts";
import { findNode } from "../gateways/choose-node.ts";
import type { SoftphoneCall } from "./store.ts";

const RETRY_AFTER_SECS = 3;

export function goneCall(): AppError {
  return new AppError("session_ended", "There is no such softphone call, or it has ended already.");
}

/** Members control only their own calls; keys act for the whole organization. Throws `AppError` forbidden. */
export function assertOwn(call: SoftphoneCall, { kind, userId }: Pick<Caller, "kind" | "userId">): void {
  if (kind === "member" && call.userId !== userId)
    throw new AppError("forbidden", "This is another member's call; only they may take it.");
}

/** A fresh address of a live call, valid for a minute. Throws `AppError` no_gateway. */
export async function openDeviceSession(
  { sessionId, callId, orgId, nodeId, fromNumber, toNumber }: SoftphoneCall,
  { bus, tickets }: { bus: Bus; tickets: TicketSigner },
): Promise<DeviceSession> {
  const node = await findNode(bus.keys, nodeId);
  if (!node)
    throw new AppError("no_gateway", "The gateway of this call cannot be reached. Try again shortly.", {
      retryAfterSecs: RETRY_AFTER_SECS,
    });
  const ticket = await tickets.sign({ sessionId, orgId, kind: "call" });
  return {
    sessionId,
    callId,
    callMode: "manual",
    websocketUrl: callSocketUrl({ publicUrl: node.publicUrl, sessionId, ticket }),
    fromNumber: fromNumber ?? "",
    toNumber: toNumber ?? "",
  };
}
