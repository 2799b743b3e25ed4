import { Fleet } from "./callers/fleet.ts";
import { DEFAULT_SCRIPT } from "./callers/script.ts";
import { usageOf } from "./stack/process-usage.ts";
import { startStack } from "./stack/stack.ts";

const [calls = 50, seconds = 10] = process.argv.slice(2).map(Number);
const stack = await startStack({ gatewayCpu: 0, othersCpu: 1, brain: { BRAIN_TOKEN_MS: "5" } });
const fleet = await Fleet.start({ calls, cpu: 1 });
const [gateway] = stack.gateways;
if (!gateway) throw new Error("no gateway");
for (let i = 0; i < calls; i++) {
  const { websocketUrl } = await stack.seeder.create(gateway.wsUrl);
  fleet.call(websocketUrl, { ...DEFAULT_SCRIPT, firstAfterMs: (i * 9_000) / calls });
  await pause(5);
}
await pause(12_000);
fleet.measure();
const before = usageOf(gateway.pid);
await pause(seconds * 1_000);
const after = usageOf(gateway.pid);
const { tally } = await fleet.report();
console.log({ live: fleet.live, core: (after.cpuMs - before.cpuMs) / 1_000 / seconds, ...tally.counts });
await fleet.close();
await stack.close();

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
