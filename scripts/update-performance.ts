import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure, Rival, Spread } from "@parley/loadtest/bench/harness/figure.ts";
import { type BenchResult, type Provenance, RESULTS_DIR } from "@parley/loadtest/bench/harness/result.ts";
import { type Bar, barChart, lineChart } from "@parley/loadtest/report/picture.ts";

/**
 * Updates docs/performance.md with the latest benches' tables and pictures, all from loadtest/results. Usage:
 * npx node scripts/update-performance.ts
 */
const ROOT = join(import.meta.dirname, "..");
const PAGE = join(ROOT, "docs/performance.md");
const PICTURES = "docs/pictures";

/** Output of the soak drill (tests/drills). */
interface SoakResult {
  readonly takenAt: string;
  readonly seconds: number;
  readonly calls: number;
  readonly samples: readonly { t: number; rssBytes: number; heapUsedBytes: number; liveCalls: number }[];
}

export interface Made {
  readonly page: string;
  /** Pictures by path. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** The page with every marked part regenerated, and its pictures. */
export function updated(page: string): Made {
  const pictures = new Map<string, string>();
  const made = page
    .replace(/<!-- bench: (\S+) -->\n[\s\S]*?<!-- end -->/g, (_all, name: string) => {
      return `<!-- bench: ${name} -->\n${benchPart(name, pictures)}\n<!-- end -->`;
    })
    .replace(
      /<!-- soak -->\n[\s\S]*?<!-- end -->/,
      () => `<!-- soak -->\n${soakPart(pictures)}\n<!-- end -->`,
    );
  return { page: made, pictures };
}

function benchPart(name: string, pictures: Map<string, string>): string {
  const result = readResult<BenchResult>(name);
  if (!result) return `Not measured yet: \`npm run bench -- ${name}\`.`;
  const header = ["| | Parley | limit | peer | target |", "|---|---|---|---|---|"];
  const rows = result.figures.map(row);
  return [...header, ...rows, "", ...picturesOf(name, result.figures, pictures), provenanceLine(result)].join(
    "\n",
  );
}

function row(figure: Figure): string {
  const { title, ours, unit, limit, peer, target } = figure;
  const verdict = target ? `${target.holds ? "✓" : "✗ **missed**"} ${target.text}` : "";
  return `| ${[title, value(ours, unit), rival(figure, limit), rival(figure, peer), verdict].join(" | ")} |`;
}

function rival({ ours, unit }: Figure, other: Rival | undefined): string {
  if (!other) return "";
  return `${other.name}: ${value(other.value, unit)}, **${(ours.median / other.value.median).toFixed(2)} ×**`;
}

function value({ median, min, max }: Spread, unit: string): string {
  return `**${short(median)} ${unit}** (${short(min)}–${short(max)})`;
}

function short(figure: number): string {
  if (figure === 0) return "0";
  if (Math.abs(figure) >= 1_000) return Math.round(figure).toLocaleString("en-GB");
  return String(Number(figure.toPrecision(3)));
}

/** A picture for each figure that has a comparison. */
function picturesOf(name: string, figures: readonly Figure[], pictures: Map<string, string>): string[] {
  const compared = figures.filter(({ limit, peer }) => limit !== undefined && peer !== undefined);
  return compared.map((figure) => {
    const { id, title, ours, unit, limit, peer } = figure;
    const bars: Bar[] = [
      { label: "Parley", value: ours.median, note: `${short(ours.median)} ${unit}`, isOurs: true },
      ...[limit, peer].flatMap((other) => (other ? [rivalBar(other, unit)] : [])),
    ];
    const path = `${PICTURES}/${name}-${id.split(".").at(-1)}.svg`;
    pictures.set(path, barChart(title, bars));
    return `![${title}](${path.replace("docs/", "")})\n`;
  });
}

function rivalBar({ name, value: { median } }: Rival, unit: string): Bar {
  return { label: name, value: median, note: `${short(median)} ${unit}`, isOurs: false };
}

function soakPart(pictures: Map<string, string>): string {
  const soak = readResult<SoakResult>("soak");
  if (!soak) return "Not measured yet: `npm run drills`.";
  const { samples, seconds, calls } = soak;
  const megabytes = (pick: (sample: SoakResult["samples"][number]) => number): number[] =>
    samples.map((sample) => pick(sample) / 1e6);
  const path = `${PICTURES}/soak.svg`;
  const rss = megabytes(({ rssBytes }) => rssBytes);
  const heap = megabytes(({ heapUsedBytes }) => heapUsedBytes);
  const lines = [
    { label: `resident, at most ${short(Math.max(...rss))} MB`, values: rss },
    { label: `heap, at most ${short(Math.max(...heap))} MB`, values: heap },
  ];
  pictures.set(path, lineChart("Memory over the soak", seconds, lines));
  return `${calls} calls came and went in ${Math.round(seconds / 60)} minutes (${soak.takenAt.slice(0, 10)}).\n\n![Memory over the soak](pictures/soak.svg)`;
}

function provenanceLine({ takenAt, commit, machine, versions }: Provenance): string {
  const memory = `${Math.round(machine.memoryBytes / 2 ** 30)} GiB`;
  return `<sub>${takenAt.slice(0, 16).replace("T", " ")} UTC, commit ${commit}, ${machine.cpu} × ${machine.cores}, ${memory}, Linux ${machine.kernel}, Node ${versions.node}, uWebSockets.js ${versions.uWebSockets}</sub>`;
}

function readResult<T>(name: string): T | undefined {
  const path = join(RESULTS_DIR, `${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}

if (process.argv[1] === import.meta.filename) {
  const { page, pictures } = updated(readFileSync(PAGE, "utf8"));
  mkdirSync(join(ROOT, PICTURES), { recursive: true });
  for (const [path, picture] of pictures) writeFileSync(join(ROOT, path), picture);
  writeFileSync(PAGE, page);
}
