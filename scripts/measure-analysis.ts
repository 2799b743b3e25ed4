/**
 * Measures the local analyzer on forty transcripts with known answers (testkit/known-transcripts.ts), and updates the
 * table in docs/analysis.md.
 *
 * Usage: node scripts/measure-analysis.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { analyzeLocally } from "@parley/control-api/analysis/local/analyze-locally.ts";
import { KNOWN_TRANSCRIPTS } from "../testkit/known-transcripts.ts";

const PAGE = join(resolve(import.meta.dirname, ".."), "docs/analysis.md");
const BEGIN = "<!-- local analyzer: begin (node scripts/measure-analysis.ts) -->";
const END = "<!-- local analyzer: end -->";

interface Count {
  right: number;
  of: number;
}

const ROWS = [
  "sentiment",
  "action items that are there",
  "action items that are right",
  "about",
  "quotes that were said",
];
const counts = { ordinary: emptyCounts(), hostile: emptyCounts() };

for (const { lines, isHostile, ...known } of KNOWN_TRANSCRIPTS) {
  const conversation = lines.map((line) => ({
    role: line.startsWith("A: ") ? ("assistant" as const) : ("user" as const),
    text: line.slice("A: ".length),
  }));
  const found = await analyzeLocally({ conversation, settings: { customFields: [] } });
  const of = isHostile ? counts.hostile : counts.ordinary;
  const has = (text: string) => found.actionItems.some((item) => item.includes(text));
  const isRight = (item: string) => known.actionItems.some((text) => item.includes(text));
  const named = [...found.topics, ...found.keywords].flatMap((name) => name.split(" "));
  add(of, ROWS[0], [found.sentiment === known.sentiment]);
  add(of, ROWS[1], known.actionItems.map(has));
  add(of, ROWS[2], found.actionItems.map(isRight));
  add(of, ROWS[3], [known.about.some((word) => named.some((name) => name.startsWith(word)))]);
  add(
    of,
    ROWS[4],
    Object.values(found.evidence).map((quote) => lines.some((line) => line.includes(String(quote)))),
  );
}

const table = [
  "| | 30 ordinary calls | 10 in which somebody gives orders |",
  "|---|---|---|",
  ...ROWS.map((row) => `| ${row} | ${shown(counts.ordinary, row)} | ${shown(counts.hostile, row)} |`),
].join("\n");
const page = readFileSync(PAGE, "utf8");
const [before, rest = ""] = page.split(BEGIN);
const [, after = ""] = rest.split(END);
writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
console.log(table);

function emptyCounts(): Map<string, Count> {
  return new Map(ROWS.map((row) => [row, { right: 0, of: 0 }]));
}

function add(to: Map<string, Count>, row = "", results: readonly boolean[]): void {
  const count = to.get(row);
  if (!count) return;
  count.of += results.length;
  count.right += results.filter(Boolean).length;
}

function shown(from: Map<string, Count>, row: string): string {
  const { right = 0, of = 0 } = from.get(row) ?? {};
  return of === 0 ? "none to find" : `${right} of ${of}`;
}
