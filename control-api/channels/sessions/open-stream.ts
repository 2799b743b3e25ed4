import { callPlanKey, liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { KeyPrincipal, MemberPrincipal } from "../../http/access/principal.ts";
import { findNode, listNodes } from "../gateways/choose-node.ts";
import type { SessionDeps } from "./prepare-call.ts";
import { findOpenSession } from "./store.ts";

/** Address to watch a live call at; any node can serve it. Throws `AppError` session_ended, no_gateway. */
export async function openStream(
  sessionId: string,
  actor: KeyPrincipal | MemberPrincipal,
  deps: SessionDeps,
): Promise<string> {
  const { orgId, userId } = actor;
  const session = await findOpenSession(deps.database, orgId, sessionId);
  if (!session || (session.startedAt !== null && (await isOver(sessionId, deps))))
    throw new AppError("session_ended", "The session does not exist or has ended already.");
  const { keys } = deps.bus;
  const node = (await findNode(keys, session.nodeId)) ?? (await listNodes(keys))[0];
  if (!node) throw new AppError("no_gateway", "No gateway is running.", { retryAfterSecs: 3 });
  const by = actor.kind === "key" ? { userId, keyId: actor.keyId } : { userId, signInId: actor.sessionId };
  const ticket = await deps.tickets.sign({ sessionId, orgId, kind: "stream", by });
  return `${node.publicUrl}/v1/streams/${sessionId}?ticket=${ticket}`;
}

/**
 * A begun call that no gateway holds has ended, and its end is about to be recorded. After a bus outage, the gateway
 * decides: it knows when all calls are announced again.
 */
async function isOver(sessionId: string, { bus }: SessionDeps): Promise<boolean> {
  if (bus.outages() > 0) return false;
  const keys = [liveCallKey(sessionId), callPlanKey(sessionId)];
  const values = await Promise.all(keys.map((key) => bus.keys.get(key)));
  return values.every((value) => value === undefined);
}
