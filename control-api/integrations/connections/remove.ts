import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { assertUnused, refuseUsed } from "../users.ts";
import { deleteConnection, lockConnections } from "./store.ts";
import { audit, existing } from "./update.ts";
import { agentsLeftWithout } from "./uses.ts";

/** Throws `AppError` not_found, conflict (an agent chose it, or has no other that can do the same; the message names them), too_many_requests. */
export async function removeConnection(
  id: string,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<void> {
  const { row } = await existing(id, actor.orgId, deps);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const tellVendor = await deps.database.db.transaction().execute(async (trx) => {
    // Who is giving it to an agent has done so by then, and is seen below; so is who deletes the last other that can the same.
    await lockConnections(trx, actor.orgId);
    await assertUnused(trx, { orgId: actor.orgId, tool: { connectionId: id } });
    refuseUsed(await agentsLeftWithout(id, { orgId: actor.orgId, trx, connectors: deps.connectors }));
    await deleteConnection(trx, actor.orgId, id);
    return deps.grants.forget({ orgId: actor.orgId, id }, trx);
  });
  await tellVendor?.();
  await audit({ action: "integration.disconnected", row }, actor, deps);
}
