import { eraseLeads } from "@parley/control-api/agents/public/store.ts";
import { eraseAnalyses } from "@parley/control-api/analysis/store.ts";
import { eraseVault } from "@parley/control-api/analysis/vault/store.ts";
import { eraseChatContent } from "@parley/control-api/channels/chat/erase-content.ts";
import { eraseRuns } from "@parley/control-api/integrations/connections/runs.ts";
import { eraseBookings } from "@parley/control-api/integrations/connectors/demo-shop/bookings.ts";
import type { EraseContent } from "@parley/control-api/modules/module.ts";
import { eraseCallContent } from "@parley/control-api/records/recordings/content-store.ts";
import { eraseDeliveries } from "@parley/control-api/webhooks/delivery-store.ts";

/** Erases a call's content in all parts of the product, for tests without an API. */
export const eraseContent: EraseContent = async (trx, erased) => {
  for (const erase of [
    eraseDeliveries,
    eraseAnalyses,
    eraseVault,
    eraseLeads,
    eraseCallContent,
    eraseChatContent,
    eraseBookings,
    eraseRuns,
  ])
    await erase(trx, erased);
};
