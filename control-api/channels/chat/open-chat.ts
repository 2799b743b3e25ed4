import { newBrainClient } from "@parley/shared/brain/new-brain-client.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
import type { Databases } from "../../database/open.ts";
import type { ToolExecutors } from "../../tools/executor.ts";
import type { AdmitCall } from "../sessions/admission.ts";
import type { ChatDeps, CountTokens } from "./chat-deps.ts";
import { ChatSweeper } from "./sweeper.ts";
import { TurnsInFlight } from "./turns-in-flight.ts";

export interface ChatPartsDeps {
  readonly config: Pick<Config, "chat" | "speech">;
  readonly bus: Bus;
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly egress: Pick<Egress, "to">;
  readonly secrets: SecretBox;
  readonly toolExecutors: ToolExecutors;
  readonly controlApiTools: ControlApiTools;
  readonly admitCall: AdmitCall;
  readonly countTokens: CountTokens;
}

/** Assembles the text chat and its sweeper. */
export function openChat(deps: ChatPartsDeps): {
  parts: ChatDeps;
  sweeper: ChatSweeper;
  /** Waits for replies in progress. */
  close: () => Promise<void>;
} {
  const { config, bus, database, clock, log, metrics } = deps;
  const inFlight = new TurnsInFlight(metrics.chatTurnsUnderWay);
  const parts: ChatDeps = {
    database,
    secrets: deps.secrets,
    toolExecutors: deps.toolExecutors,
    streams: bus.streams,
    clock,
    log,
    metrics,
    brain: newBrainClient(deps),
    limits: config.chat,
    inFlight,
    admitCall: deps.admitCall,
    countTokens: deps.countTokens,
  };
  return {
    parts,
    sweeper: new ChatSweeper({ ...parts, database: database.background }),
    close: () => inFlight.finished(),
  };
}
