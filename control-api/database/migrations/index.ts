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
import { subscriptions } from "./0043-subscriptions.ts";
import { integrations } from "./0044-integrations.ts";
import { connectionRuns } from "./0045-connection-runs.ts";
import { analytics } from "./0047-analytics.ts";
import { oauth } from "./0049-oauth.ts";
import { demoShopSessions } from "./0050-demo-shop-sessions.ts";
import { analyses } from "./0051-analyses.ts";
import { piiVault } from "./0052-pii-vault.ts";
import { knowledge } from "./0053-knowledge.ts";
import { knowledgeCrawls } from "./0054-knowledge-crawls.ts";
import { apps } from "./0055-apps.ts";
import { appRecords } from "./0056-app-records.ts";
import { appFiles } from "./0057-app-files.ts";
import { publicAgents } from "./0058-public-agents.ts";
import { links } from "./0059-links.ts";
import { usage } from "./0060-usage.ts";
import { ledger } from "./0061-ledger.ts";
import { invoices } from "./0062-invoices.ts";
import { payments } from "./0063-payments.ts";
import { taxes } from "./0064-taxes.ts";
import { memories } from "./0067-memories.ts";
import { compressedRecordings } from "./0069-compressed-recordings.ts";
import { messaging } from "./0070-messaging.ts";
import { messageMedia } from "./0071-message-media.ts";
import { doNotCall } from "./0072-do-not-call.ts";
import { campaigns } from "./0073-campaigns.ts";
import { campaignMessages } from "./0074-campaign-messages.ts";
import { rehearsalReports } from "./0077-rehearsal-reports.ts";
import { chatFlows } from "./0080-chat-flows.ts";
import { callTallies } from "./0081-call-tallies.ts";
import { campaignPhones } from "./0082-campaign-phones.ts";
import { analyticsDays } from "./0096-analytics-days.ts";
import { callWords } from "./0097-call-words.ts";
import { instagram } from "./0106-instagram.ts";
import { visitorsCalls } from "./0110-visitors-calls.ts";
import { knowledgeVectors } from "./0115-knowledge-vectors.ts";
import { spokenRehearsals } from "./0130-spoken-rehearsals.ts";
import { invitationsByAddress } from "./0133-invitations-by-address.ts";
import { carrierRefusals } from "./0134-carrier-refusals.ts";
import { campaignMessagesCost } from "./0135-campaign-messages-cost.ts";
import { oneContact } from "./0136-one-contact.ts";
import { webhookClaims } from "./0138-webhook-claims.ts";
import { messageOptOuts } from "./0140-message-opt-outs.ts";
import { marketingChoices } from "./0141-marketing-choices.ts";
import { forgottenChoices } from "./0142-forgotten-choices.ts";
import { campaignLimits } from "./0143-campaign-limits.ts";
import { managedChannels } from "./0144-managed-channels.ts";
import { countedAppCalls } from "./0145-counted-app-calls.ts";
import { appRecordVectors } from "./0146-app-record-vectors.ts";
import { forgottenEvents } from "./0147-forgotten-events.ts";
import { earlyReversals } from "./0148-early-reversals.ts";

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
  "0043-subscriptions": subscriptions,
  "0044-integrations": integrations,
  "0045-connection-runs": connectionRuns,
  "0047-analytics": analytics,
  "0049-oauth": oauth,
  "0050-demo-shop-sessions": demoShopSessions,
  "0051-analyses": analyses,
  "0052-pii-vault": piiVault,
  "0053-knowledge": knowledge,
  "0054-knowledge-crawls": knowledgeCrawls,
  "0055-apps": apps,
  "0056-app-records": appRecords,
  "0057-app-files": appFiles,
  "0058-public-agents": publicAgents,
  "0059-links": links,
  "0060-usage": usage,
  "0061-ledger": ledger,
  "0062-invoices": invoices,
  "0063-payments": payments,
  "0064-taxes": taxes,
  "0067-memories": memories,
  "0069-compressed-recordings": compressedRecordings,
  "0070-messaging": messaging,
  "0071-message-media": messageMedia,
  "0072-do-not-call": doNotCall,
  "0073-campaigns": campaigns,
  "0074-campaign-messages": campaignMessages,
  "0077-rehearsal-reports": rehearsalReports,
  "0080-chat-flows": chatFlows,
  "0081-call-tallies": callTallies,
  "0082-campaign-phones": campaignPhones,
  "0096-analytics-days": analyticsDays,
  "0097-call-words": callWords,
  "0106-instagram": instagram,
  "0110-visitors-calls": visitorsCalls,
  "0115-knowledge-vectors": knowledgeVectors,
  "0130-spoken-rehearsals": spokenRehearsals,
  "0133-invitations-by-address": invitationsByAddress,
  "0134-carrier-refusals": carrierRefusals,
  "0135-campaign-messages-cost": campaignMessagesCost,
  "0136-one-contact": oneContact,
  "0138-webhook-claims": webhookClaims,
  "0140-message-opt-outs": messageOptOuts,
  "0141-marketing-choices": marketingChoices,
  "0142-forgotten-choices": forgottenChoices,
  "0143-campaign-limits": campaignLimits,
  "0144-managed-channels": managedChannels,
  "0145-counted-app-calls": countedAppCalls,
  "0146-app-record-vectors": appRecordVectors,
  "0147-forgotten-events": forgottenEvents,
  "0148-early-reversals": earlyReversals,
};
