import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { findAgent } from "../agents/agents/store.ts";
import { insertNumber, listNumbers, updateNumber } from "../channels/numbers/store.ts";
import type { Database } from "../database/open.ts";

/** Of the loopback carrier, where every organization has numbers of its own. */
const NUMBER = "+12025550123";

/**
 * A workspace without a number gets one that the demo's agent calls from; when that agent is gone, the new one gets it.
 * Whoever gave it to somebody else keeps it so.
 */
export async function seedNumber(
  { orgId, agentId }: { readonly orgId: string; readonly agentId: string },
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): Promise<void> {
  const numbers = await listNumbers(database, orgId);
  const ours = numbers.find(({ number }) => number === NUMBER);
  const isOrphan = ours && (ours.agentId === null || !(await findAgent(database, orgId, ours.agentId)));
  if (isOrphan) await updateNumber(database, { orgId, id: ours.id }, { agentId });
  if (numbers.length > 0) return;
  const number = { number: NUMBER, carrier: "loopback", label: "Demo", agentId, userId: null } as const;
  await insertNumber(database, { ...number, id: newId("num"), orgId, at: new Date(clock.wallMs()) });
}
