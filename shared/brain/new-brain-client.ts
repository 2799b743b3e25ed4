import type { Config } from "../config/config.ts";
import type { Egress } from "../net/egress.ts";
import { type BrainClient, type BrainClientDeps, createBrainClient } from "./client.ts";

export interface NewBrainClientDeps extends Omit<BrainClientDeps, "dispatchers" | "models"> {
  readonly config: { readonly speech: Pick<Config["speech"], "openai"> };
  readonly egress: Pick<Egress, "to">;
}

/** A client for all brains, with its own circuit breaker, over the process's connections. */
export function newBrainClient({ config, egress, ...deps }: NewBrainClientDeps): BrainClient {
  const models = { ...config.speech.openai, dispatchers: egress.to("model") };
  return createBrainClient({ ...deps, dispatchers: egress.to("brain"), models });
}
