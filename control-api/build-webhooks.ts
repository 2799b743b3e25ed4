import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { GuardedDispatchers } from "@parley/shared/net/guarded-dispatchers.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "./database/open.ts";
import type { Messenger } from "./identity/messages/messenger.ts";
import type { Raise } from "./records/recorder/batches.ts";
import type { RecordingLinks } from "./records/recordings/recording-links.ts";
import { raiseCallEvents } from "./webhooks/call-webhooks.ts";
import { Deliverer } from "./webhooks/deliverer.ts";
import { startReaper } from "./webhooks/reaper.ts";
import { tellOwners } from "./webhooks/trouble.ts";
import { MAX_PER_HOST } from "./webhooks/under-way.ts";
import type { UrlRules } from "./webhooks/url-rules.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Of one organization: a few more than it has places there, for those that are being closed. No send waits for one. */
const CONNECTIONS_PER_HOST = MAX_PER_HOST + 32;
const KEEP_ALIVE_MS = 4_000;

export interface WebhooksDeps {
  readonly config: Pick<Config, "webhooks">;
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly secrets: SecretBox;
  readonly messenger: Messenger;
  readonly baseUrl: () => string;
  readonly recordingLinks: RecordingLinks;
  readonly urlRules: UrlRules;
  readonly receiverTimeMs?: number | undefined;
}

/** What raises webhooks and sends them, put together and started. */
export function buildWebhooks(deps: WebhooksDeps): {
  raise: Raise;
  close: () => Promise<void>;
} {
  const { config, bus, database, clock, log, metrics, secrets, messenger, baseUrl, urlRules } = deps;
  const { allowPrivateTargets, names } = urlRules;
  const dispatchers = new GuardedDispatchers({
    allowPrivateTargets,
    names,
    clock,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connectionsPerHost: CONNECTIONS_PER_HOST,
    keepAliveMs: KEEP_ALIVE_MS,
    // An endpoint that was registered in development may lead out of it now.
    isHttpsOnly: allowPrivateTargets.length === 0,
    isHttp1Only: true,
  });
  const deliverer = new Deliverer({
    database,
    channels: bus.channels,
    clock,
    log,
    metrics,
    secrets,
    dispatchers,
    receiverTimeMs: deps.receiverTimeMs,
    onTrouble: (trouble) => {
      log.warn(
        { event: "webhook_endpoint_failing", endpointId: trouble.endpointId, isDisabled: trouble.isDisabled },
        "a webhook endpoint fails",
      );
      tellOwners(trouble, { database, messenger, baseUrl }).catch((error: unknown) => {
        log.warn(
          { event: "webhook_owners_not_notified", err: messageOf(error) },
          "failed to notify the owners of a webhook endpoint",
        );
      });
    },
  });
  deliverer.start();
  const { retentionDays } = config.webhooks;
  const stopReaper = startReaper({ database, clock, log, retentionDays });
  return {
    raise: {
      inTransaction: (trx, events) =>
        raiseCallEvents(trx, events, { clock, recordingLinks: deps.recordingLinks }),
      committed: () => deliverer.announce(),
    },
    close: async () => {
      stopReaper();
      await deliverer.stop();
      // Requests that are still open are of receivers that nobody waits for any more.
      await dispatchers.destroy();
    },
  };
}
