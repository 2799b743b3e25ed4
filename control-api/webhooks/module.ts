import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Databases } from "../database/open.ts";
import type { Reads } from "../http/reads.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { Messenger } from "../identity/notifications/messenger.ts";
import type { Module } from "../modules/module.ts";
import type { RecordingLinks } from "../records/recordings/recording-links.ts";
import { callWebhooks } from "./call-webhooks.ts";
import { Deliverer } from "./deliverer.ts";
import { eraseDeliveries } from "./delivery-store.ts";
import { endpointHealthRoutes } from "./health-routes.ts";
import { hookRoutes } from "./hook-routes.ts";
import { listenerRoutes } from "./listener-routes.ts";
import { webhooksReaper } from "./reaper.ts";
import { replayRoutes, triggerRoute } from "./replay-routes.ts";
import { webhookRoutes } from "./routes.ts";
import { tellOwners } from "./tell-owners.ts";
import { webhookTroubles } from "./troubles.ts";
import type { UrlRules } from "./url-rules.ts";

export interface WebhooksDeps {
  readonly config: Pick<Config, "webhooks">;
  readonly bus: Bus;
  readonly database: Databases;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly secrets: SecretBox;
  readonly audit: Audit;
  readonly messenger: Messenger;
  readonly baseUrl: () => string;
  readonly recordingLinks: RecordingLinks;
  readonly urlRules: UrlRules;
  readonly egress: Pick<Egress, "to" | "destroy">;
  /** Overrides the receiver's time-out of 30 s. */
  readonly receiverTimeMs?: number | undefined;
}

export interface Webhooks {
  readonly module: Module;
  /** Announces committed deliveries that another district wrote. */
  readonly announceDeliveries: () => void;
}

/** Webhooks: endpoints, deliveries, and terminals that listen. */
export function openWebhooks(deps: WebhooksDeps): Webhooks {
  const { config, bus, clock, recordingLinks } = deps;
  const { background: database } = deps.database;
  const { deliverer, close } = openDeliverer(deps);
  const announce = () => deliverer.announce();
  const module: Module = {
    name: "webhooks",
    routes: (app) => {
      webhookRoutes(app, deps);
      endpointHealthRoutes(app, deps);
      hookRoutes(app, deps);
      listenerRoutes(app, { ...deps, channels: bus.channels });
      replayRoutes(app, { ...deps, announce });
      triggerRoute(app, { ...deps, announce });
    },
    jobs: [webhooksReaper({ ...deps, database, retentionDays: config.webhooks.retentionDays })],
    subscriptions: [callWebhooks({ clock, recordingLinks, announce: (to) => deliverer.announce(to) })],
    // A delivery contains personal data of its call.
    personalData: [{ name: "deliveries", tables: ["webhook_deliveries"] }],
    eraseContent: eraseDeliveries,
    troubles: webhookTroubles(deps),
    start: () => deliverer.start(),
    stop: close,
  };
  return { module, announceDeliveries: announce };
}

function openDeliverer(deps: WebhooksDeps): { deliverer: Deliverer; close: () => Promise<void> } {
  const { bus, clock, log, metrics, secrets, messenger, baseUrl, egress } = deps;
  const { background: database } = deps.database;
  const deliverer = new Deliverer({
    database,
    channels: bus.channels,
    clock,
    log,
    metrics,
    secrets,
    dispatchers: egress.to("webhook"),
    receiverTimeMs: deps.receiverTimeMs,
    onDeliveryFailure: (failure) => {
      log.warn(
        { event: "webhook_endpoint_failing", endpointId: failure.endpointId, isDisabled: failure.isDisabled },
        "a webhook endpoint fails",
      );
      tellOwners(failure, { database, messenger, baseUrl }).catch((error: unknown) => {
        log.warn(
          { event: "webhook_owners_not_notified", err: messageOf(error) },
          "failed to notify the owners of a webhook endpoint",
        );
      });
    },
  });
  return {
    deliverer,
    close: async () => {
      await deliverer.stop();
      // Requests still open have receivers that nobody waits for any more.
      await egress.destroy("webhook");
    },
  };
}
