import { type Outcome, RETRIED_OUTCOMES } from "@parley/shared/contracts/campaign-states.ts";
import type { CampaignSettings } from "@parley/shared/contracts/campaigns.ts";

const MINUTE_MS = 60_000;
/** End reasons of calls that a machine answered. */
const MACHINE_ENDS: readonly (string | null)[] = ["amd_hangup", "voicemail_drop", "ivr_hangup"];

/** An ended call, from its record. */
export interface EndedCall {
  readonly status: string;
  readonly endReason: string | null;
  readonly answeredBy: string | null;
}

export function outcomeOf({ status, endReason, answeredBy }: EndedCall): Outcome {
  if (status === "busy") return "busy";
  if (status === "no-answer") return "no_answer";
  if (status !== "completed") return "failed";
  const isMachine = MACHINE_ENDS.includes(endReason) || (answeredBy?.startsWith("machine") ?? false);
  return isMachine ? "voicemail" : "answered";
}

/** When to retry; undefined: never. `times` counts the attempts with this outcome, including this one. */
export function retryAt(
  outcome: Outcome,
  times: number,
  { retries, endedAt }: Pick<CampaignSettings, "retries"> & { readonly endedAt: Date },
): Date | undefined {
  const known = RETRIED_OUTCOMES.find((one) => one === outcome);
  if (known === undefined || times > retries[known].times) return undefined;
  return new Date(endedAt.getTime() + retries[known].afterMinutes * MINUTE_MS);
}
