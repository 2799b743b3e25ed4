/**
 * Makes media/turn/finished/weights.json of media/turn/finished/corpus/ and prints how often they are wrong on what they
 * have not seen. The same corpus makes the same weights; `scripts/finished/train.test.ts` holds both to it.
 *
 * Usage: node scripts/train-finished.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ratesOfHeldOut, ratesOfLinesSetAside, trainAll } from "./finished/train.ts";

const WEIGHTS = join(import.meta.dirname, "../media/turn/finished/weights.json");

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
