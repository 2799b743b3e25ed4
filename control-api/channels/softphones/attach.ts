import { isOver } from "@parley/shared/contracts/call-status.ts";
import type { DeviceSession } from "@parley/shared/contracts/softphones.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import type { SessionDeps } from "../sessions/prepare-call.ts";
import { assertOwn, goneCall, openDeviceSession } from "./device-session.ts";
import { findSoftphoneCall } from "./store.ts";

/**
 * The address at which another device of the member takes over their call, or the page that placed it reconnects after
 * a reload. Throws `AppError` session_ended, forbidden, conflict (it rings: answer it), no_gateway.
 */
export async function attach(sessionId: string, caller: Caller, deps: SessionDeps): Promise<DeviceSession> {
  const call = await findSoftphoneCall(deps.database, caller.orgId, sessionId);
  if (!call) throw goneCall();
  assertOwn(call, caller);
  if (call.direction === "inbound" && call.status === "ringing")
    throw new AppError("conflict", "Nobody has answered this call yet: POST /api/sessions/{id}/answer.");
  if (isOver(call.status)) throw goneCall();
  return openDeviceSession(call, deps);
}
