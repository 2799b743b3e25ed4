import type { BrainControl } from "@parley/shared/contracts/brain.ts";
import type { TurnOverrides } from "./turn-state.ts";

/** What a brain's `listen` asks of the next turn. */
export function turnOverridesOf(listen: Extract<BrainControl, { event: "listen" }>): TurnOverrides {
  const { endpointingMs, expect, interruptible } = listen;
  return {
    ...(endpointingMs === undefined ? {} : { endpointingMs }),
    ...(expect === undefined ? {} : { expect }),
    ...(interruptible === undefined ? {} : { interruptible }),
  };
}
