import { AppError } from "@parley/shared/errors.ts";
import { listNodes } from "../gateways/choose-node.ts";
import type { SessionDeps } from "./prepare-call.ts";
import { findOpenSession } from "./store.ts";

/** The address to watch a live call at; any node can serve it. Throws `AppError` session_ended, no_gateway. */
export async function openStream(sessionId: string, orgId: string, deps: SessionDeps): Promise<string> {
  const session = await findOpenSession(deps.database, orgId, sessionId);
  if (!session) throw new AppError("session_ended", "The session does not exist or has ended already.");
  const nodes = await listNodes(deps.bus.keys);
  const node = nodes.find(({ nodeId }) => nodeId === session.nodeId) ?? nodes[0];
  if (!node) throw new AppError("no_gateway", "No gateway is running.", { retryAfterSecs: 3 });
  const ticket = await deps.tickets.sign({ sessionId, orgId, kind: "stream" });
  return `${node.publicUrl}/v1/streams/${sessionId}?ticket=${ticket}`;
}
