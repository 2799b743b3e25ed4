import type { TransferOrder } from "@parley/shared/contracts/transfers.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { PhoneSessionDeps } from "./initiate-call.ts";

/**
 * Hands over the far end of a live phone call. A whisper is recorded and sent to the carrier with the organization's
 * PII policy applied, as an agent's own whisper is. Throws `AppError` session_ended, bad_request, conflict (a transfer
 * is under way), and what the carrier throws.
 */
export async function transfer(
  { sessionId, orgId }: { readonly sessionId: string; readonly orgId: string },
  order: TransferOrder,
  { phoneCalls, database }: Pick<PhoneSessionDeps, "phoneCalls" | "database">,
): Promise<void> {
  const { whisper } = order;
  if (whisper === undefined) return phoneCalls.transfer(sessionId, orgId, order);
  const scrubber = new Scrubber(await selectPiiPolicy(database, orgId));
  await phoneCalls.transfer(sessionId, orgId, { ...order, whisper: scrubber.text(whisper) });
}
