import { AppError } from "@parley/shared/errors.ts";
import { agentsUsing } from "../../agents/agents/agents-using.ts";
import type { Database } from "../../database/open.ts";
import { deleteBase, findBase } from "./store.ts";

/** Deletes a base with all its documents. Throws not_found; conflict, naming the agents, while any search it. */
export async function removeBase(database: Database, orgId: string, id: string): Promise<void> {
  await findBase(database, orgId, id);
  await database.db.transaction().execute(async (trx) => {
    const agents = await agentsUsing(trx, { orgId, tool: { knowledgeBaseIds: [id] } });
    if (agents.length > 0) {
      const names = agents.map(({ name }) => `"${name}"`).join(", ");
      const message = `The knowledge base is used by ${names}. Remove it from their tools first.`;
      throw new AppError("conflict", message, { details: { agents } });
    }
    await deleteBase(trx, orgId, id);
  });
}
