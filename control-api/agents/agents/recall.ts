import type { Remembered } from "@parley/shared/contracts/brain-plan.ts";
import type { MemorySettings } from "@parley/shared/contracts/memory.ts";
import type { Database } from "../../database/open.ts";

/** The person a conversation is with, and since when. */
export interface Person {
  readonly identifier: string;
  /** The identifier is vouched for. */
  readonly isIdentified: boolean;
  readonly at: Date;
}

/** Enough memories to help, few enough for a model to heed. */
const MOST = 20;
const MAX_CHARS = 4_000;

/** What an agent remembers of a person, newest first; undefined if nothing. Expired memories count as forgotten. */
export async function recall(
  { db }: Database,
  agent: { readonly orgId: string; readonly agentId: string; readonly memory: MemorySettings },
  person: Person | undefined,
): Promise<Remembered | undefined> {
  const { enabled, unverifiedCallers } = agent.memory;
  if (!enabled || !person || !(person.isIdentified || unverifiedCallers)) return undefined;
  const rows = await db
    .selectFrom("memories")
    .select(["text", "updated_at as at"])
    .where("org_id", "=", agent.orgId)
    .where("identifier", "=", person.identifier)
    .where("agent_id", "=", agent.agentId)
    .where("expires_at", ">", person.at)
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(MOST)
    .execute();
  const told: Remembered = [];
  let chars = 0;
  for (const { text, at } of rows) {
    chars += text.length;
    if (chars > MAX_CHARS) break;
    told.push({ text, at: at.toISOString() });
  }
  return told.length === 0 ? undefined : told;
}
