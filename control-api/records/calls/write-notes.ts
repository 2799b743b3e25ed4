import { AppError } from "@parley/shared/errors.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Database } from "../../database/open.ts";
import { setNotes } from "../call-rows/content.ts";
import { isOnLegalHold } from "../recordings/content-store.ts";
import { findCall } from "./store.ts";

/**
 * Stores notes about a call, masked by the organization's PII policy like a transcript. Throws `AppError` not_found;
 * conflict if the call's content was deleted, after which nothing more is kept, or the notes are under legal hold.
 */
export async function writeNotes(
  { orgId, id, notes }: { readonly orgId: string; readonly id: string; readonly notes: string },
  database: Database,
): Promise<{ id: string; sessionId: string; notes: string }> {
  const found = await findCall(database, orgId, id);
  if (found && found.call.notes !== "" && (await isOnLegalHold(database.db, orgId)))
    throw new AppError("conflict", "The organization is under legal hold: existing notes cannot be changed.");
  const scrubber = new Scrubber(await selectPiiPolicy(database, orgId));
  const written = await setNotes(database, { orgId, id, notes: scrubber.text(notes) });
  if (written) return written;
  if (!found) throw new AppError("not_found", "There is no such call in this organization.");
  throw new AppError("conflict", "The transcript of this call was deleted, so notes can no longer be added.");
}
