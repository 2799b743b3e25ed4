import { api } from "./api/api.ts";
import { bargeIn } from "./barge-in/barge-in.ts";
import { callCpu } from "./call-cpu/call-cpu.ts";
import { scale } from "./call-cpu/scale.ts";
import { fanOut } from "./fan-out/fan-out.ts";
import type { Bench } from "./harness/figure.ts";
import { writeResult } from "./harness/result.ts";
import { tableOf } from "./harness/table.ts";
import { signIn } from "./sign-in/sign-in.ts";
import { turnShare } from "./turn-share/turn-share.ts";
import { units } from "./units/units.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** Every bench, in the order of the report: `npm run bench`, or `npm run bench -- <name> …`. */
const BENCHES: readonly Bench[] = [callCpu, scale, turnShare, bargeIn, fanOut, api, signIn, webhooks, units];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`No bench ${unknown.join(", ")}. There are: ${BENCHES.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}
const startMs = performance.now();
for (const bench of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  console.log(`\n${bench.title}`);
  const figures = await bench.run((line) => console.log(`  … ${line}`));
  console.log(`\n${tableOf(figures)}\n`);
  console.log(`  written to ${await writeResult(bench, figures)}`);
}
console.log(`\n  ${Math.round((performance.now() - startMs) / 1_000)} s in all`);
