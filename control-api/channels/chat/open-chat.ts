import { newBrainClient } from "@parley/shared/brain/new-brain-client.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Databases } from "../../database/open.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { ChatSweeper } from "./sweeper.ts";
import { TurnsUnderWay } from "./turns-under-way.ts";

export interface ChatPartsDeps {
  readonly config: Pick<Config, "chat" | "speech">;
  readonly bus: Bus;
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly egress: Pick<Egress, "to">;
  readonly secrets: SecretBox;
}

/** What text chats need, and their sweeper, put together; the sweeper is started by the caller. */
export function openChat(deps: ChatPartsDeps): {
  parts: ChatDeps;
  sweeper: ChatSweeper;
  /** Waits for replies that are being generated. */
  close: () => Promise<void>;
} {
  const { config, bus, database, clock, log, metrics } = deps;
  const underWay = new TurnsUnderWay(metrics.chatTurnsUnderWay);
  const parts: ChatDeps = {
    database,
    secrets: deps.secrets,
    streams: bus.streams,
    clock,
    log,
    metrics,
    brain: newBrainClient(deps),
    limits: config.chat,
    underWay,
  };
  return {
    parts,
    sweeper: new ChatSweeper({ ...parts, database: database.background }),
    close: () => underWay.finished(),
  };
}
