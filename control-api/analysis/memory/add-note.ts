import { type AddMemory, type Memory, memorySettingsSchema } from "@parley/shared/contracts/memory.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { dropOldest, findMemory, keepFacts } from "./store.ts";

const DAY_MS = 86_400_000;

/** Adds a person's note to an agent's memory, if the agent remembers people. Throws not_found. */
export async function addNote(
  { db }: Database,
  { orgId, agentId, identifier, text, at }: AddMemory & { readonly orgId: string; readonly at: Date },
): Promise<Memory> {
  return db.transaction().execute(async (trx) => {
    const agent = await trx
      .selectFrom("agents")
      .select("settings")
      .where("org_id", "=", orgId)
      .where("id", "=", agentId)
      // Nobody deletes the agent before its note is there.
      .forKeyShare()
      .executeTakeFirst();
    if (!agent) throw new AppError("not_found", `There is no agent ${agentId} in this organization.`);
    const { forgetAfterDays } = memorySettingsSchema.parse(agent.settings.memory ?? {});
    const person = { orgId, agentId, identifier };
    const [id = ""] = await keepFacts(trx, person, {
      facts: [{ kind: "note", key: null, text }],
      sessionId: null,
      at,
      expiresAt: new Date(at.getTime() + forgetAfterDays * DAY_MS),
    });
    await dropOldest(trx, person);
    return findMemory(trx, orgId, id);
  });
}
