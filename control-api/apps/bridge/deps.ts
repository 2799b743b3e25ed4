import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Bridge } from "./bridge.ts";

/** How long an uninstalled app or a removed member may go on listening. */
export const RECHECK_MS = 15_000;

/** What streams of the bridge need. */
export interface StreamsDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly log: Logger;
  readonly channels: Channels;
}
