import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import type { ToolExecutors } from "../../tools/executor.ts";
import type { AdmitCall } from "../sessions/admission.ts";
import type { ChatLimits } from "./chat-status.ts";
import type { TurnsInFlight } from "./turns-in-flight.ts";

/** Counts model usage that no recorded event reports; idempotent per source. */
export type CountTokens = (used: {
  readonly orgId: string;
  readonly sessionId: string;
  readonly source: string;
  readonly tokens: ModelTokens;
}) => Promise<void>;

/** Shared dependencies of the chat modules. */
export interface ChatDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly toolExecutors: ToolExecutors;
  readonly streams: Bus["streams"];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "chatTurnsTotal" | "chatTurnSeconds">;
  readonly brain: BrainClient;
  readonly limits: ChatLimits;
  readonly inFlight: TurnsInFlight;
  readonly admitCall: AdmitCall;
  readonly countTokens: CountTokens;
}
