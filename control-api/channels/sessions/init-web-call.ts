import type { InitWebCall, WebCall } from "@parley/shared/contracts/sessions.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { callSocketUrl } from "../gateways/call-socket-url.ts";
import { prepareCall, type SessionDeps } from "./prepare-call.ts";
import { socketAgain } from "./recover-placed.ts";
import { findPlaced } from "./store.ts";

/**
 * Creates a web call. Throws `AppError` not_found (no such agent), api_access_off, validation_failed (a required
 * variable), no_gateway.
 */
export async function initWebCall(
  input: InitWebCall,
  caller: Caller,
  deps: SessionDeps,
): Promise<WebCall & { agentName: string }> {
  const leg = { channel: "web_chat", direction: "web" };
  const { plan, node, ticket, agentName } = await prepareCall({ input, caller, leg }, deps);
  const { sessionId } = plan;
  const websocketUrl = callSocketUrl({ publicUrl: node.publicUrl, sessionId, ticket });
  return { sessionId, websocketUrl, agentName };
}

/**
 * Recovers an earlier web call, with a fresh ticket; undefined when it was deleted. Throws `AppError` session_ended if
 * the call is over or its gateway gone.
 */
export async function recoverWebCall(
  sessionId: string,
  orgId: string,
  deps: SessionDeps,
): Promise<WebCall | undefined> {
  const placed = await findPlaced(deps.database, orgId, sessionId);
  if (!placed) return undefined;
  return { sessionId, websocketUrl: await socketAgain({ ...placed, sessionId }, orgId, deps) };
}
