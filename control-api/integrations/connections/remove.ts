import { AppError } from "@parley/shared/errors.ts";
import { agentsUsing } from "../../agents/agents/agents-using.ts";
import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { deleteConnection } from "./store.ts";
import { audit, existing } from "./update.ts";

const MAX_NAMES = 10;

/** Throws `AppError` not_found, conflict (an agent uses it; the message names them), too_many_requests. */
export async function removeConnection(
  id: string,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<void> {
  const { row } = await existing(id, actor.orgId, deps);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const tellVendor = await deps.database.db.transaction().execute(async (trx) => {
    const agents = await agentsUsing(trx, { orgId: actor.orgId, connectionId: id });
    if (agents.length > 0) {
      const users = agents.map(({ name }) => `agent ${name}`);
      const names = users.slice(0, MAX_NAMES).join(", ");
      const more = users.length > MAX_NAMES ? ` and ${users.length - MAX_NAMES} more` : "";
      const message = `This connection is still used by ${names}${more}. Remove it there first.`;
      throw new AppError("conflict", message, { details: { usedBy: agents.slice(0, MAX_NAMES) } });
    }
    await deleteConnection(trx, actor.orgId, id);
    return deps.grants.forget({ orgId: actor.orgId, id }, trx);
  });
  await tellVendor?.();
  await audit({ action: "integration.disconnected", row }, actor, deps);
}
