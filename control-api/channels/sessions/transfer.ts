import type { TransferOrder } from "@parley/shared/contracts/transfers.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { PhoneSessionDeps } from "./initiate-call.ts";

/**
 * Hands the far end of a live phone call over. A whisper is written down and sent to the carrier without what the
 * organization's PII policy names, as an agent's own is. Throws `AppError` session_ended, bad_request, conflict (it is
 * being transferred), and what the carrier throws.
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
