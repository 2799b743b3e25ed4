import { AppError } from "@parley/shared/errors.ts";
import type { AdmitCall } from "../../channels/sessions/admission.ts";
import { findBlocked } from "./store.ts";

/** `details.reason` of the refusal. */
export const DO_NOT_CALL = "do_not_call";

/** Refuses to dial a number on the organization's do-not-call list; runs for every outbound call. */
export const holdToList: AdmitCall = async (trx, { orgId, dials }) => {
  if (dials === undefined || (await findBlocked(trx, orgId, [dials])).size === 0) return;
  const message = `${dials} is on the do-not-call list of this organization, so it was not dialed. Remove it from the list first if its owner agreed to be called.`;
  throw new AppError("forbidden", message, { details: { reason: DO_NOT_CALL, number: dials } });
};
