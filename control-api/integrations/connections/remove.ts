import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { assertUnused } from "../users.ts";
import { deleteConnection } from "./store.ts";
import { audit, existing } from "./update.ts";

/** Throws `AppError` not_found, conflict (an agent uses it; the message names them), too_many_requests. */
export async function removeConnection(
  id: string,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<void> {
  const { row } = await existing(id, actor.orgId, deps);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const tellVendor = await deps.database.db.transaction().execute(async (trx) => {
    await assertUnused(trx, { orgId: actor.orgId, tool: { connectionId: id } });
    await deleteConnection(trx, actor.orgId, id);
    return deps.grants.forget({ orgId: actor.orgId, id }, trx);
  });
  await tellVendor?.();
  await audit({ action: "integration.disconnected", row }, actor, deps);
}
