/**
 * Trains media/end-of-turn/classifier/weights.json on media/end-of-turn/classifier/corpus/, and prints the error rates on unseen phrases.
 * The weights are deterministic; `scripts/end-of-turn/train.test.ts` keeps weights and corpus in step.
 *
 * Usage: node scripts/train-end-of-turn.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ratesOfHeldOut, ratesOfLinesSetAside, trainAll } from "./end-of-turn/train.ts";

const WEIGHTS = join(import.meta.dirname, "../media/end-of-turn/classifier/weights.json");

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
