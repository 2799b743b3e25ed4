import { startOwnPostgres } from "../stack/own-postgres.ts";
import { api } from "./api/api.ts";
import { apps } from "./apps/apps.ts";
import { bargeIn } from "./barge-in/barge-in.ts";
import { callCpu } from "./call-cpu/call-cpu.ts";
import { scale } from "./call-cpu/scale.ts";
import { campaign } from "./campaign/campaign.ts";
import { events } from "./events/events.ts";
import { fanOut } from "./fan-out/fan-out.ts";
import { frontEnd } from "./front-end/front-end.ts";
import type { Bench } from "./harness/figure.ts";
import { writeResult } from "./harness/result.ts";
import { tableOf } from "./harness/table.ts";
import { knowledge } from "./knowledge/knowledge.ts";
import { metering } from "./metering/metering.ts";
import { monthEnd } from "./month-end/month-end.ts";
import { ownVoice } from "./own-voice/own-voice.ts";
import { placement } from "./placement/placement.ts";
import { quietLine } from "./quiet-line/quiet-line.ts";
import { recorder } from "./recorder/recorder.ts";
import { signIn } from "./sign-in/sign-in.ts";
import { toolBus } from "./tool-bus/tool-bus.ts";
import { turnShare } from "./turn-share/turn-share.ts";
import { units } from "./units/units.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** Every bench in report order: `npm run bench`, or `npm run bench -- <name> …`. */
const BENCHES: readonly Bench[] = [
  ...[callCpu, scale, frontEnd, ownVoice, quietLine, turnShare, bargeIn, fanOut],
  ...[
    toolBus,
    knowledge,
    placement,
    api,
    apps,
    signIn,
    recorder,
    events,
    webhooks,
    metering,
    monthEnd,
    campaign,
    units,
  ],
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`No bench ${unknown.join(", ")}. There are: ${BENCHES.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}
const chosen = BENCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const startMs = performance.now();
const postgres = process.env.PARLEY_TEST_POSTGRES_URL ? undefined : await startOwnPostgres();
if (postgres) process.env.PARLEY_TEST_POSTGRES_URL = postgres.url;
const hasPostgres = Boolean(process.env.PARLEY_TEST_POSTGRES_URL);
if (!hasPostgres) {
  console.log("\nThere is no Postgres: set PARLEY_TEST_POSTGRES_URL, or install Debian's postgresql.");
}
const failed: string[] = [];
for (const bench of chosen) {
  console.log(`\n${bench.title}`);
  if (bench.needsPostgres && !hasPostgres) console.log("  left out: it needs Postgres");
  else await measure(bench).catch((error: unknown) => giveUp(bench, error));
}
await postgres?.close();
console.log(`\n  ${Math.round((performance.now() - startMs) / 1_000)} s in all`);
if (failed.length > 0) {
  console.error(`  failed: ${failed.join(", ")}`);
  process.exit(1);
}

async function measure(bench: Bench): Promise<void> {
  const figures = await bench.run((line) => console.log(`  … ${line}`));
  console.log(`\n${tableOf(figures)}\n`);
  console.log(`  written to ${await writeResult(bench, figures)}`);
}

/** Records a failure and lets the other benches run: one failure must not cost ten minutes of the rest. */
function giveUp({ name }: Bench, error: unknown): void {
  failed.push(name);
  console.error(error);
}
