import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { assertUnused, refuseUsed } from "../users.ts";
import { deleteConnection, lockConnections } from "./store.ts";
import { audit, existing } from "./update.ts";
import { agentsLeftWithout } from "./uses.ts";

/** Throws `AppError` not_found, too_many_requests, conflict (agents chose or need it; the message names them). */
export async function removeConnection(
  id: string,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<void> {
  const { row } = await existing(id, actor.orgId, deps);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const tellVendor = await deps.database.db.transaction().execute(async (trx) => {
    // Waits for changes that give the connection to an agent or delete the last alternative, so the checks see them.
    await lockConnections(trx, actor.orgId);
    await assertUnused(trx, { orgId: actor.orgId, tool: { connectionId: id } });
    refuseUsed(await agentsLeftWithout(id, { orgId: actor.orgId, trx, connectors: deps.connectors }));
    await deleteConnection(trx, actor.orgId, id);
    return deps.grants.forget({ orgId: actor.orgId, id }, trx);
  });
  await tellVendor?.();
  await audit({ action: "integration.disconnected", row }, actor, deps);
}
