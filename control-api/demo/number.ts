import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { findAgent } from "../agents/agents/store.ts";
import { insertNumber, listNumbers, updateNumber } from "../channels/numbers/store.ts";
import type { Database } from "../database/open.ts";

/** A number of the loopback carrier, where every organization has its own numbers. */
const NUMBER = "+12025550123";

/**
 * Gives a workspace without numbers one that the demo's agent calls from, and moves it to the new agent when the old
 * one is gone. A number that people gave to another agent stays there.
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
