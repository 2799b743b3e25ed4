import type { BrainControl } from "@parley/shared/contracts/brain.ts";
import type { Manners } from "./turn-state.ts";

/** What a brain's `listen` asks of the next turn. */
export function mannersOf(listen: Extract<BrainControl, { event: "listen" }>): Manners {
  const { endpointingMs, expect, interruptible } = listen;
  return {
    ...(endpointingMs === undefined ? {} : { endpointingMs }),
    ...(expect === undefined ? {} : { expect }),
    ...(interruptible === undefined ? {} : { interruptible }),
  };
}
