import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { Bus } from "./bus.ts";
import { MemoryChannels } from "./memory-channels.ts";
import { MemoryKeys } from "./memory-keys.ts";
import { MemoryStreams } from "./memory-streams.ts";

/** The bus of a single process: does within it what Redis does between processes. Keeps nothing on disk. */
export function createMemoryBus(deps: { clock: Clock; log?: Logger; lanes?: number }): Bus {
  const streams = new MemoryStreams(deps.clock, deps.lanes);
  let isOpen = true;
  return {
    channels: new MemoryChannels(deps.log),
    streams,
    keys: new MemoryKeys(deps.clock),
    isReady: () => isOpen,
    writableForMs: () => Number.POSITIVE_INFINITY,
    outages: () => 0,
    close: async () => {
      isOpen = false;
      streams.close();
    },
  };
}
