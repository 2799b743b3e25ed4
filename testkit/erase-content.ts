import { eraseChatContent } from "@parley/control-api/channels/chat/erase-content.ts";
import type { EraseContent } from "@parley/control-api/modules/module.ts";
import { eraseCallContent } from "@parley/control-api/records/recordings/content-store.ts";
import { eraseDeliveries } from "@parley/control-api/webhooks/delivery-store.ts";

/** What all districts erase of a call, for tests that erase without an API. */
export const eraseContent: EraseContent = async (trx, erased) => {
  for (const erase of [eraseDeliveries, eraseCallContent, eraseChatContent]) await erase(trx, erased);
};
