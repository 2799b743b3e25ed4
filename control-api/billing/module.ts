import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { AdmitCall } from "../channels/sessions/admission.ts";
import type { Databases } from "../database/open.ts";
import type { Reads } from "../http/reads.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { Messenger } from "../identity/notifications/messenger.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Module } from "../modules/module.ts";
import { profileRoutes } from "./invoices/profile-routes.ts";
import { invoiceRoutes } from "./invoices/routes.ts";
import { advancesBilling } from "./lifecycle/advance.ts";
import { warnsOwners } from "./limits/warn-owners.ts";
import { type AppCall, AppCallMeter } from "./metering/app-calls.ts";
import { booksAppCalls } from "./metering/book-app-calls.ts";
import { metersCalls } from "./metering/meter-calls.ts";
import { type CountMessages, countsMessages } from "./metering/meter-messages.ts";
import { type ModelMeter, metersModels } from "./metering/meter-models.ts";
import { operatorRoutes } from "./operator/routes.ts";
import { topsUp } from "./payments/auto-top-up.ts";
import { openProvider } from "./payments/open-provider.ts";
import { paymentRoutes } from "./payments/routes.ts";
import { stripeWebhookRoutes } from "./payments/webhook-routes.ts";
import { tellsOfLowBalances } from "./telling/low-balance.ts";
import { tellsOwners } from "./telling/tell-owners.ts";
import { usageRoutes } from "./usage/routes.ts";
import { admitsCalls } from "./wallet/admit-calls.ts";
import { type AdmitMessages, admitsMessages } from "./wallet/admit-messages.ts";
import { releasesForgotten } from "./wallet/release-forgotten.ts";
import { billingRoutes } from "./wallet/routes.ts";

export interface BillingDeps {
  readonly config: Pick<Config, "billing">;
  readonly database: Databases;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly audit: Audit;
  readonly messenger: Pick<Messenger, "post">;
  readonly baseUrl: () => string;
  readonly log: Logger;
  readonly egress: Egress;
  /** Called when events are ready to be sent. */
  readonly announceDeliveries: () => void;
}

export interface BillingDistrict {
  readonly module: Module;
  /** Decides whether a new call may begin, and records who asked for it. */
  readonly admitCall: AdmitCall;
  /** Counts what apps ask of models. */
  readonly modelMeter: ModelMeter;
  /** Messages of messaging channels: how many that begin conversations may be sent, and what they took. */
  readonly messaging: {
    readonly admitMessages: AdmitMessages;
    readonly countMessages: CountMessages;
    readonly countSpeech: ModelMeter["countSpeech"];
  };
  /** Counts a call of an app's frame; resolves once it is committed. */
  readonly countAppCall: (call: AppCall) => Promise<void>;
}

/** What is used, what it costs, and who pays for it. */
export function openBilling(given: BillingDeps): BillingDistrict {
  const { billing } = given.config;
  const { isOn } = billing;
  const provider = openProvider(billing, given.egress.to("payment"));
  const deps = { ...given, isOn, provider, webhookSecrets: billing.stripe.webhookSecrets };
  const background = { ...deps, database: given.database.background };
  const admitCall = admitsCalls(deps);
  const modelMeter = metersModels({ ...deps, admitCall });
  const appCalls = new AppCallMeter(deps);
  return {
    module: {
      name: "billing",
      routes: async (app) => {
        usageRoutes(app, deps);
        billingRoutes(app, deps);
        invoiceRoutes(app, { ...deps, seller: billing.seller });
        profileRoutes(app, deps);
        paymentRoutes(app, deps);
        operatorRoutes(app, deps);
        await stripeWebhookRoutes(app, deps);
      },
      jobs: [
        warnsOwners(background),
        tellsOwners(background),
        releasesForgotten(background),
        ...(isOn ? [advancesBilling(background), topsUp(background), tellsOfLowBalances(background)] : []),
      ],
      rounds: [booksAppCalls(background)],
      subscriptions: [metersCalls(deps)],
    },
    admitCall,
    modelMeter,
    messaging: {
      admitMessages: admitsMessages(deps),
      countMessages: countsMessages(deps),
      countSpeech: modelMeter.countSpeech,
    },
    countAppCall: (call) => appCalls.count(call),
  };
}
