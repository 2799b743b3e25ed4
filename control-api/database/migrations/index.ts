import type { Migration } from "kysely/migration";
import { liveCall } from "./0001-live-call.ts";
import { identity } from "./0002-identity.ts";
import { webhooks } from "./0003-webhooks.ts";
import { webhookHealth } from "./0004-webhook-health.ts";
import { agents } from "./0005-agents.ts";
import { telephony } from "./0006-telephony.ts";
import { chat } from "./0007-chat.ts";
import { recordings } from "./0008-recordings.ts";
import { carriers } from "./0009-carriers.ts";
import { manualCalls } from "./0010-manual-calls.ts";
import { liveCalls } from "./0011-live-calls.ts";
import { transfers } from "./0012-transfers.ts";
import { callIntents } from "./0013-call-intents.ts";
import { ambientTracks } from "./0014-ambient-tracks.ts";
import { chatPrivacy } from "./0015-chat-privacy.ts";
import { callNotes } from "./0016-call-notes.ts";
import { removedEndpoints } from "./0017-removed-endpoints.ts";
import { webhookQueue } from "./0018-webhook-queue.ts";
import { fewerDeliveryIndexes } from "./0019-fewer-delivery-indexes.ts";
import { declining } from "./0020-declining.ts";
import { chatTimes } from "./0021-chat-times.ts";
import { searchGrams } from "./0022-search-grams.ts";
import { partialRecordings } from "./0024-partial-recordings.ts";
import { slidingLimits } from "./0026-sliding-limits.ts";
import { replayedDeliveries } from "./0027-replayed-deliveries.ts";
import { machineSteps } from "./0028-machine-steps.ts";
import { turnParts } from "./0041-turn-parts.ts";
import { jobs } from "./0042-jobs.ts";
import { integrations } from "./0044-integrations.ts";
import { oauth } from "./0049-oauth.ts";

/** Every migration, in the order of its name. One that was released is never changed: add the next. */
export const MIGRATIONS: Record<string, Migration> = {
  "0001-live-call": liveCall,
  "0002-identity": identity,
  "0003-webhooks": webhooks,
  "0004-webhook-health": webhookHealth,
  "0005-agents": agents,
  "0006-telephony": telephony,
  "0007-chat": chat,
  "0008-recordings": recordings,
  "0009-carriers": carriers,
  "0010-manual-calls": manualCalls,
  "0011-live-calls": liveCalls,
  "0012-transfers": transfers,
  "0013-call-intents": callIntents,
  "0014-ambient-tracks": ambientTracks,
  "0015-chat-privacy": chatPrivacy,
  "0016-call-notes": callNotes,
  "0017-removed-endpoints": removedEndpoints,
  "0018-webhook-queue": webhookQueue,
  "0019-fewer-delivery-indexes": fewerDeliveryIndexes,
  "0020-declining": declining,
  "0021-chat-times": chatTimes,
  "0022-search-grams": searchGrams,
  "0024-partial-recordings": partialRecordings,
  "0026-sliding-limits": slidingLimits,
  "0027-replayed-deliveries": replayedDeliveries,
  "0028-machine-steps": machineSteps,
  "0041-turn-parts": turnParts,
  "0042-jobs": jobs,
  "0044-integrations": integrations,
  "0049-oauth": oauth,
};
