import type { Database } from "@parley/shared/database/open.ts";
import { findPlaced } from "./store.ts";

interface Placed {
  readonly sessionId: string;
  readonly callId: string;
  /** Null as long as the carrier has told nothing of it: whether it was dialled is not known. */
  readonly callSid: string | null;
  readonly status: string;
  readonly nodeId: string;
  readonly fromNumber: string;
  readonly toNumber: string;
}

/**
 * A call whose placing broke off: what the carrier has told of it meanwhile, or that nothing is known. Undefined while
 * the one who places it may still be at it.
 */
export async function recoverPlaced(
  sessionId: string,
  { orgId, mayBeUnderWay }: { readonly orgId: string; readonly mayBeUnderWay: boolean },
  database: Database,
): Promise<Placed | undefined> {
  const row = await findPlaced(database, orgId, sessionId);
  if (!row) return undefined;
  const { endedAt, fromNumber, toNumber, ...known } = row;
  if (mayBeUnderWay && known.callSid === null && endedAt === null) return undefined;
  return { sessionId, ...known, fromNumber: fromNumber ?? "", toNumber: toNumber ?? "" };
}
