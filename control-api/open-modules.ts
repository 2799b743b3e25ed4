import type { MessageBox } from "@parley/shared/security/message-box.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type AgentsDeps, openAgents } from "./agents/module.ts";
import { embedOriginsOf } from "./agents/public/public-agents.ts";
import { type AnalysisDeps, openAnalysis } from "./analysis/module.ts";
import { type AppFramesDeps, openAppFrames } from "./app-frames/module.ts";
import { type AppsDeps, openApps } from "./apps/module.ts";
import type { EmbeddedTokens } from "./billing/metering/meter-models.ts";
import { type BillingDeps, openBilling } from "./billing/module.ts";
import { holdToList } from "./campaigns/do-not-call/hold-to-list.ts";
import { noteMessageWish } from "./campaigns/do-not-call/note-opt-outs.ts";
import { type CampaignsModuleDeps, openCampaigns } from "./campaigns/module.ts";
import { type ChannelsDeps, openChannels } from "./channels/module.ts";
import type { AdmitCall } from "./channels/sessions/admission.ts";
import { type DemoDeps, openDemo } from "./demo/module.ts";
import { type HttpDeps, openHttp } from "./http/module.ts";
import { openIdentity } from "./identity/module.ts";
import type { IdentityDeps, IdentityParts } from "./identity/open-identity.ts";
import { type IntegrationsDeps, openIntegrations } from "./integrations/module.ts";
import { type KnowledgeModuleDeps, openKnowledge } from "./knowledge/module.ts";
import { type MessagingModuleDeps, openMessaging } from "./messaging/module.ts";
import { composeModules } from "./modules/compose-modules.ts";
import type { Module } from "./modules/module.ts";
import { openNotices } from "./notices/module.ts";
import { openRecords, type RecordsDeps } from "./records/module.ts";
import type { EventFeed } from "./subscriptions/event-feed.ts";
import { openSubscriptions } from "./subscriptions/module.ts";
import type { ToolExecutors } from "./tools/executor.ts";
import { openTools } from "./tools/module.ts";
import { listDeliveriesOfSession } from "./webhooks/delivery-store.ts";
import { openWebhooks, type WebhooksDeps } from "./webhooks/module.ts";

/** What districts get from each other, or from `openModules` itself. */
type Shared =
  | "admitCall"
  | "secrets"
  | "audit"
  | "limits"
  | "messenger"
  | "all"
  | "chat"
  | "deliveriesOf"
  | "recordings"
  | "recordingLinks"
  | "toolExecutors"
  | "announceDeliveries"
  | "onWish"
  | "countSpeech"
  | "countMessages"
  | "admitMessages"
  | "countAppCall"
  | "controlApiTools"
  | "connectDemoShop"
  | "signingKeys"
  | "frameOrigin"
  | "embedOriginsOf"
  | "placeCall"
  | "beginVisit"
  | "modelMeter"
  | "countTokens"
  | "countEmbedded"
  | "runCapability"
  | "authorize"
  | "vectors";

export type ModulesDeps = Omit<
  HttpDeps &
    IdentityDeps &
    AgentsDeps &
    AppsDeps &
    AppFramesDeps &
    IntegrationsDeps &
    KnowledgeModuleDeps &
    RecordsDeps &
    ChannelsDeps &
    MessagingModuleDeps &
    CampaignsModuleDeps &
    WebhooksDeps &
    AnalysisDeps &
    BillingDeps &
    DemoDeps,
  Shared
> & {
  readonly secrets: SecretBox;
  readonly messages: MessageBox;
  readonly feed: EventFeed;
  /** A test's own tools instead of the built-in ones. */
  readonly toolExecutors?: ToolExecutors;
};

/** Opens the control API's districts, each after those that notify it. They start in this order and stop in reverse. */
export async function openModules(
  given: ModulesDeps,
): Promise<{ modules: readonly Module[]; resolvers: IdentityParts["resolvers"] }> {
  const modules: Module[] = [];
  const { module: identity, parts } = await openIdentity(given);
  const { resolvers, messenger } = parts;
  const { audit, limits } = parts.identity;
  const integrations = openIntegrations({ ...given, audit, limits, messenger });
  // Billing is opened later, but nothing is embedded before all districts have started.
  const countEmbedded = (used: EmbeddedTokens) => billing.modelMeter.countEmbedded(used);
  const knowledge = openKnowledge({ ...given, countEmbedded });
  const builtIn = { ...integrations.toolExecutors, knowledge: knowledge.executor };
  const toolExecutors = given.toolExecutors ?? builtIn;
  const tools = openTools({ ...given, toolExecutors });
  const deps = { ...given, toolExecutors, controlApiTools: tools.controlApiTools };
  const all = composeModules(modules);
  const records = openRecords({
    ...{ ...deps, audit, all },
    deliveriesOf: listDeliveriesOfSession,
  });
  const { recordings, recordingLinks } = records;
  const { announceDeliveries, ...webhooks } = openWebhooks({ ...deps, audit, messenger, recordingLinks });
  const billing = openBilling({ ...deps, audit, messenger, announceDeliveries });
  const admitCall = unlessListed(billing.admitCall);
  const channels = openChannels({
    ...{ ...deps, audit, limits, recordings, recordingLinks, admitCall },
    countTokens: billing.modelMeter.count,
  });
  const appFrames = openAppFrames(deps);
  modules.push(
    openHttp({ ...deps, frameOrigin: appFrames.origin, embedOriginsOf: embedOriginsOf(deps.database) }),
    identity,
    openAgents({ ...deps, audit, limits, modelMeter: billing.modelMeter }),
    integrations.module,
    knowledge.module,
    openApps({
      ...deps,
      ...{ audit, limits, recordings, signingKeys: parts.signingKeys },
      ...{
        placeCall: channels.placeCall,
        beginVisit: channels.beginVisit,
        modelMeter: billing.modelMeter,
        countAppCall: billing.countAppCall,
        runCapability: integrations.run,
        authorize: integrations.authorize,
        vectors: knowledge.vectors,
      },
    }),
    appFrames.module,
    webhooks.module,
    openAnalysis({
      ...{ ...deps, audit, announceDeliveries },
      countTokens: billing.modelMeter.count,
    }),
    billing.module,
    openSubscriptions({ ...deps, subscriptions: all.subscriptions }),
    records.module,
    channels.module,
    openMessaging({
      ...{ ...deps, audit, recordings, announceDeliveries },
      chat: channels.chat,
      onWish: noteMessageWish,
      ...billing.messaging,
    }),
    openCampaigns({ ...deps, ...billing.messaging, audit, placeCall: channels.placeCall }),
    tools.module,
    openNotices({ all }),
    openDemo({ ...deps, admitCall, connectDemoShop: integrations.connectDemoShop }),
  );
  return { modules, resolvers };
}

/** Checks the do-not-call list before the cost, so that a listed number is reported first. */
function unlessListed(admitCall: AdmitCall): AdmitCall {
  return async (trx, call) => {
    await holdToList(trx, call);
    await admitCall(trx, call);
  };
}
