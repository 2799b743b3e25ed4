import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { GuardedDispatchers, type GuardedDispatchersOptions } from "../net/guarded-dispatchers.ts";
import { type BrainClient, createBrainClient } from "./client.ts";

const CONNECT_TIMEOUT_MS = 2_000;
/** Of one organization. */
const CONNECTIONS_PER_HOST = 256;
const KEEP_ALIVE_MS = 60_000;
/** For the model service the operator configured: its address is trusted. */
const ANY_ADDRESS = ["0.0.0.0/0", "::/0"];

export interface BrainsDeps extends Pick<GuardedDispatchersOptions, "allowPrivateTargets" | "names"> {
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

export function openBrains({ config, clock, log, metrics, names, allowPrivateTargets }: BrainsDeps): Brains {
  const open = (allowed: readonly string[]) =>
    new GuardedDispatchers({
      allowPrivateTargets: allowed,
      names,
      clock,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      connectionsPerHost: CONNECTIONS_PER_HOST,
      keepAliveMs: KEEP_ALIVE_MS,
    });
  const dispatchers = open(allowPrivateTargets);
  const models = { ...config.speech.openai, dispatchers: open(ANY_ADDRESS) };
  return {
    newClient: () => createBrainClient({ dispatchers, models, clock, log, metrics }),
    close: async () => {
      await Promise.all([dispatchers.close(), models.dispatchers.close()]);
    },
  };
}
