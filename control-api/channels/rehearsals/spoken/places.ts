import type { Keys } from "@parley/shared/bus/bus.ts";
import type { GatewayNode } from "@parley/shared/contracts/gateway-nodes.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";
import { listNodes } from "../../gateways/choose-node.ts";

/** Rehearsals take at most this share of the calls that gateways have room for. */
const SHARE = 0.1;
const MOST = 4;
const DEAF =
  "no gateway that takes calls recognizes speech: set one up (docs/speech.md), or rehearse in text";

/** How many spoken rehearsals of one report may run at the same time: callers go first. */
export async function placesNow(keys: Keys): Promise<number> {
  const free = (await listNodes(keys))
    .filter(({ draining }) => !draining)
    .reduce((sum, { calls, maxCalls }) => sum + maxCalls - calls, 0);
  return Math.max(1, Math.min(MOST, Math.floor(free * SHARE)));
}

/** Throws `AppError` validation_failed where nobody could hear the caller. */
export async function assertHeard(keys: Keys): Promise<void> {
  const nodes = await listNodes(keys);
  const isDeaf = ({ sttVendors }: GatewayNode): boolean => sttVendors.every((vendor) => vendor === "client");
  if (nodes.length === 0 || !nodes.every(isDeaf)) return;
  throw invalidInput("body", [{ field: "mode", text: DEAF }]);
}
