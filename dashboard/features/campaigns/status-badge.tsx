import type { CampaignState } from "@parley/shared/contracts/campaign-states.ts";
import { STATUS_NAMES } from "./campaign-labels.ts";

export function StatusBadge({ status }: { readonly status: CampaignState }) {
  return <span className={`pf-badge campaign-${status}`}>{STATUS_NAMES[status]}</span>;
}
