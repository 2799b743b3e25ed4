import type { InitWebCall, WebCall } from "@parley/shared/contracts/sessions.ts";
import { type Caller, prepareCall, type SessionDeps } from "./prepare-call.ts";

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
  const websocketUrl = `${node.publicUrl}/v1/calls/${sessionId}?ticket=${ticket}`;
  return { sessionId, websocketUrl, agentName };
}
