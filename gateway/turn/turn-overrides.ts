import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import type { TurnOverrides } from "./turn-state.ts";

/** The overrides for the next turn that a brain's `listen` asks for. */
export function turnOverridesOf(listen: Extract<BrainControl, { event: "listen" }>): TurnOverrides {
  const { endpointingMs, expect, interruptible } = listen;
  return {
    ...(endpointingMs === undefined ? {} : { endpointingMs }),
    ...(expect === undefined ? {} : { expect }),
    ...(interruptible === undefined ? {} : { interruptible }),
  };
}
