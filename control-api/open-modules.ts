import type { MessageBox } from "@parley/shared/security/message-box.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type AgentsDeps, openAgents } from "./agents/module.ts";
import { embedOriginsOf } from "./agents/public/public-agents.ts";
import { type AnalysisDeps, openAnalysis } from "./analysis/module.ts";
import { type AppFramesDeps, openAppFrames } from "./app-frames/module.ts";
import { type AppsDeps, openApps } from "./apps/module.ts";
import { type BillingDeps, openBilling } from "./billing/module.ts";
import { holdToList } from "./campaigns/do-not-call/hold-to-list.ts";
import { noteMessageOptOut } from "./campaigns/do-not-call/note-opt-outs.ts";
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
import type { Module } from "./modules/module.ts";
import { together } from "./modules/together.ts";
import { openRecords, type RecordsDeps } from "./records/module.ts";
import type { EventFeed } from "./subscriptions/event-feed.ts";
import { openSubscriptions } from "./subscriptions/module.ts";
import type { ToolExecutors } from "./tools/executor.ts";
import { openTools } from "./tools/module.ts";
import { listDeliveriesOfSession } from "./webhooks/delivery-store.ts";
import { openWebhooks, type WebhooksDeps } from "./webhooks/module.ts";

/** What districts get of each other, or of `openModules` itself. */
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
  | "onReceived"
  | "controlApiTools"
  | "connectDemoShop"
  | "signingKeys"
  | "frameOrigin"
  | "embedOriginsOf"
  | "placeCall"
  | "beginVisit"
  | "modelMeter"
  | "countTokens"
  | "runCapability"
  | "authorize";

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
  /** Tools of a test's own in the place of the built-in ones. */
  readonly toolExecutors?: ToolExecutors;
};

/** The districts of the control API, each after those it is told by: in this order they start, and in turn they stop. */
export async function openModules(
  given: ModulesDeps,
): Promise<{ modules: readonly Module[]; resolvers: IdentityParts["resolvers"] }> {
  const modules: Module[] = [];
  const { module: identity, parts } = await openIdentity(given);
  const { resolvers, messenger } = parts;
  const { audit, limits } = parts.identity;
  const integrations = openIntegrations({ ...given, audit, limits, messenger });
  const knowledge = openKnowledge(given);
  const toolExecutors = given.toolExecutors ?? {
    ...integrations.toolExecutors,
    knowledge: knowledge.executor,
  };
  const tools = openTools({ ...given, toolExecutors });
  const deps = { ...given, toolExecutors, controlApiTools: tools.controlApiTools };
  const all = together(modules);
  const records = openRecords({
    ...{ ...deps, audit, all },
    deliveriesOf: listDeliveriesOfSession,
  });
  const { recordings, recordingLinks } = records;
  const webhooks = openWebhooks({ ...deps, audit, messenger, recordingLinks });
  const billing = openBilling({
    ...{ ...deps, audit, messenger },
    announceDeliveries: webhooks.announceDeliveries,
  });
  const admitCall = unlessListed(billing.admitCall);
  const channels = openChannels({ ...deps, audit, limits, recordings, recordingLinks, admitCall });
  const appFrames = openAppFrames(deps);
  modules.push(
    openHttp({ ...deps, frameOrigin: appFrames.origin, embedOriginsOf: embedOriginsOf(deps.database) }),
    identity,
    openAgents({ ...deps, audit, limits }),
    integrations.module,
    knowledge.module,
    openApps({
      ...deps,
      ...{ audit, limits, recordings, signingKeys: parts.signingKeys },
      ...{
        placeCall: channels.placeCall,
        beginVisit: channels.beginVisit,
        modelMeter: billing.modelMeter,
        runCapability: integrations.run,
        authorize: integrations.authorize,
      },
    }),
    appFrames.module,
    webhooks.module,
    openAnalysis({
      ...{ ...deps, audit, announceDeliveries: webhooks.announceDeliveries },
      countTokens: billing.modelMeter.count,
    }),
    billing.module,
    openSubscriptions({ ...deps, subscriptions: all.subscriptions }),
    records.module,
    channels.module,
    openMessaging({
      ...deps,
      audit,
      recordings,
      chat: channels.chat,
      onReceived: noteMessageOptOut,
      announceDeliveries: webhooks.announceDeliveries,
    }),
    openCampaigns({ ...deps, audit, placeCall: channels.placeCall }),
    tools.module,
    openDemo({ ...deps, admitCall, connectDemoShop: integrations.connectDemoShop }),
  );
  return { modules, resolvers };
}

/** A number on the do-not-call list is told before what the call would cost. */
function unlessListed(admitCall: AdmitCall): AdmitCall {
  return async (trx, call) => {
    await holdToList(trx, call);
    await admitCall(trx, call);
  };
}
