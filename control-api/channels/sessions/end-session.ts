import { callPlanKey } from "@parley/shared/contracts/call-plan.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { tellEnd } from "../../records/projector/tell-end.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { endChat } from "../chat/finalize.ts";
import { commandCall } from "../gateways/command-call.ts";
import type { SessionDeps } from "./prepare-call.ts";
import { findOpenSession } from "./store.ts";

/**
 * Ends a live call or chat, or withdraws a call whose caller has not connected yet. Throws `AppError` session_ended,
 * also for an unknown session.
 */
export async function endSession(
  sessionId: string,
  orgId: string,
  deps: SessionDeps & { readonly chat: ChatDeps },
): Promise<void> {
  const session = await findOpenSession(deps.database, orgId, sessionId);
  if (!session) throw new AppError("session_ended", "The session does not exist or has ended already.");
  if (isTextChannel(session.channel)) {
    if (await endChat(sessionId, orgId, deps.chat)) return;
    throw new AppError("session_ended", "The chat has ended already.");
  }
  if (await withdraw(sessionId, orgId, deps)) return;
  if (!(await commandCall(sessionId, { command: "end", reason: "api_request" }, deps)))
    throw new AppError("session_ended", "The session is no longer live.");
}

/** Takes the plan back before a caller does: exactly one of the two gets it. */
async function withdraw(sessionId: string, orgId: string, { bus, clock }: SessionDeps): Promise<boolean> {
  const plan = await bus.keys.take(callPlanKey(sessionId));
  if (plan === undefined) return false;
  // Nobody has connected, so it makes no difference whether it rings.
  const end = endFor("queued", "api_request");
  await tellEnd({ sessionId, orgId }, { id: newId("evt"), seq: 0, end }, { bus, clock });
  return true;
}
