/**
 * Trains media/phrases/finished/weights.json on media/phrases/finished/corpus/, and prints the error rates on unseen phrases.
 * The weights are deterministic; `scripts/finished/train.test.ts` keeps weights and corpus in step.
 *
 * Usage: node scripts/train-finished.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ratesOfHeldOut, ratesOfLinesSetAside, trainAll } from "./finished/train.ts";

const WEIGHTS = join(import.meta.dirname, "../media/phrases/finished/weights.json");

const weights = trainAll();
writeFileSync(WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
console.log(
  "| phrases | unfinished | taken for finished | finished | taken for unfinished |\n|---|---|---|---|---|",
);
for (const rates of [...ratesOfHeldOut(weights), ...ratesOfLinesSetAside()]) {
  const { name, unfinished, falseFinished, finished, falseUnfinished } = rates;
  console.log(
    `| ${name} | ${unfinished} | ${percent(falseFinished)} | ${finished} | ${percent(falseUnfinished)} |`,
  );
}
