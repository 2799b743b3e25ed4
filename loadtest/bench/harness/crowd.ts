import { Fleet } from "../../callers/fleet.ts";
import { DEFAULT_SCRIPT } from "../../callers/script.ts";
import type { Stack } from "../../stack/stack.ts";
import { pause } from "./pause.ts";

const SPREAD_MS = 12_000;
const CALL_EVERY_MS = 5;

/** Ordinary calls that keep a gateway busy while something else is measured on it. */
export async function callCrowd(
  stack: Stack,
  { calls, cpu }: { calls: number; cpu: number },
): Promise<Fleet> {
  const [gateway] = stack.gateways;
  if (!gateway) throw new Error("the stack has no gateway");
  const fleet = await Fleet.start({ calls, cpu });
  for (let i = 0; i < calls; i++) {
    const { websocketUrl } = await stack.seeder.create(gateway.wsUrl);
    fleet.call(websocketUrl, { ...DEFAULT_SCRIPT, firstAfterMs: (i * SPREAD_MS) / calls });
    await pause(CALL_EVERY_MS);
  }
  await pause(SPREAD_MS);
  return fleet;
}
