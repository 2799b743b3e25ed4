import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { createGuardedDispatcher, type GuardedDispatcherOptions } from "../net/guarded-dispatcher.ts";
import { type BrainClient, createBrainClient } from "./client.ts";

const CONNECT_TIMEOUT_MS = 2_000;
const CONNECTIONS_PER_HOST = 256;
const KEEP_ALIVE_MS = 60_000;
/** For the model service the operator configured: its address is trusted. */
const ANY_ADDRESS = ["0.0.0.0/0", "::/0"];

export interface BrainsDeps extends Pick<GuardedDispatcherOptions, "allowPrivateTargets" | "resolve"> {
  readonly config: { readonly speech: Pick<Config["speech"], "openai"> };
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The way to brains: connections that are kept, and clients that use them. */
export interface Brains {
  /** With a circuit breaker of its own. */
  newClient(): BrainClient;
  close(): Promise<void>;
}

export function openBrains({ config, clock, log, metrics, ...rules }: BrainsDeps): Brains {
  const open = (allowed: Pick<GuardedDispatcherOptions, "allowPrivateTargets" | "resolve">) =>
    createGuardedDispatcher({
      ...allowed,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      connectionsPerHost: CONNECTIONS_PER_HOST,
      keepAliveMs: KEEP_ALIVE_MS,
    });
  const { allowPrivateTargets, resolve } = rules;
  const dispatcher = open({ allowPrivateTargets, ...(resolve ? { resolve } : {}) });
  const models = { ...config.speech.openai, dispatcher: open({ allowPrivateTargets: ANY_ADDRESS }) };
  return {
    newClient: () => createBrainClient({ dispatcher, models, clock, log, metrics }),
    close: async () => {
      await Promise.all([dispatcher.close(), models.dispatcher.close()]);
    },
  };
}
