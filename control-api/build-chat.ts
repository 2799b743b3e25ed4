import { createBrainClient } from "@parley/shared/brain/client.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Database } from "@parley/shared/database/open.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import type { ChatDeps } from "./chat/chat-deps.ts";
import { ChatSweeper } from "./chat/sweeper.ts";
import { TurnsUnderWay } from "./chat/turns-under-way.ts";
import type { UrlRules } from "./webhooks/url-rules.ts";

const BRAIN_CONNECTIONS_PER_HOST = 256;
const BRAIN_KEEP_ALIVE_MS = 60_000;
const BRAIN_CONNECT_TIMEOUT_MS = 2_000;

export interface ChatPartsDeps {
  readonly config: Pick<Config, "chat">;
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly urlRules: UrlRules;
}

/** What text chats need, and their sweeper, put together; the sweeper is started by the caller. */
export function buildChat(deps: ChatPartsDeps): {
  parts: ChatDeps;
  sweeper: ChatSweeper;
  /** Waits for replies that are being generated. */
  close: () => Promise<void>;
} {
  const { config, bus, database, clock, log, metrics, urlRules } = deps;
  const dispatcher = createGuardedDispatcher({
    ...urlRules,
    connectTimeoutMs: BRAIN_CONNECT_TIMEOUT_MS,
    connectionsPerHost: BRAIN_CONNECTIONS_PER_HOST,
    keepAliveMs: BRAIN_KEEP_ALIVE_MS,
  });
  const underWay = new TurnsUnderWay(metrics.chatTurnsUnderWay);
  const parts: ChatDeps = {
    database,
    streams: bus.streams,
    clock,
    log,
    metrics,
    brain: createBrainClient({ dispatcher, clock, log, metrics }),
    limits: config.chat,
    underWay,
  };
  return {
    parts,
    sweeper: new ChatSweeper(parts),
    close: async () => {
      await underWay.finished();
      await dispatcher.close();
    },
  };
}
