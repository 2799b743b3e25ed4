import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Provenance, provenance, RESULTS_DIR } from "../../bench/harness/result.ts";
import type { RoomCase, Target } from "../cases.ts";
import type { RoomFigures } from "./figures.ts";

/** A stored row. */
export interface RoomRow {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly brainMs: number;
  readonly figures: RoomFigures;
  readonly missed: readonly string[];
  readonly isPromised: boolean;
}

/** `loadtest/results/rooms.json`. */
export interface RoomResults extends Provenance {
  readonly seconds: number;
  readonly sideBySide: number;
  /** p99 lag of the callers' own clock: above about 20 ms, the machine was too busy to measure on. */
  readonly callersLateP99Ms: number;
  readonly loadAverage: number;
  readonly voices: readonly string[];
  readonly missingVoices: readonly string[];
  readonly rows: readonly RoomRow[];
}

const PATH = join(RESULTS_DIR, "rooms.json");

export function rowOf({ id, group, title, brainMs, targets }: RoomCase, figures: RoomFigures): RoomRow {
  const missed = targets.filter((target) => !holds(target, figures)).map((target) => wanted(target));
  return { id, group, title, brainMs, figures, missed, isPromised: targets.length > 0 };
}

/** The last stored run, if any. */
export function readResults(): RoomResults | undefined {
  return existsSync(PATH) ? (JSON.parse(readFileSync(PATH, "utf8")) as RoomResults) : undefined;
}

/** Stores a run; rows it did not hold stay. Returns the file's new contents. */
export async function writeResults(
  run: Omit<RoomResults, keyof Provenance>,
  order: readonly string[],
): Promise<RoomResults> {
  const before = readResults()?.rows ?? [];
  const kept = before.filter(({ id }) => order.includes(id) && !run.rows.some((row) => row.id === id));
  const rows = [...kept, ...run.rows].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const results: RoomResults = { ...provenance(), ...run, rows };
  await writeFile(PATH, `${JSON.stringify(results, null, 2)}\n`);
  return results;
}

const SHARES = new Set<Target["figure"]>(["answered", "cutOff", "interrupted"]);

function holds({ figure, atLeast, atMost }: Target, figures: RoomFigures): boolean {
  const value = figureOf(figure, figures);
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

function figureOf(figure: Target["figure"], figures: RoomFigures): number {
  const { [figure]: value = 0, interruptions = 0 } = figures;
  const of = figure === "interrupted" ? interruptions : figures.asked;
  return SHARES.has(figure) ? value / Math.max(1, of) : value;
}

const NAMES: Record<Target["figure"], string> = {
  answered: "answered",
  askedTwice: "asked twice",
  stopped: "stopped",
  cutOff: "cut off",
  wordsLost: "words lost",
  interrupted: "interruptions heard",
  stopP90Ms: "silent p90",
  responseP50Ms: "response p50",
  turnEndP95Ms: "turn over p95",
};

function wanted({ figure, atLeast, atMost }: Target): string {
  const isShare = SHARES.has(figure) || figure === "wordsLost";
  const unit = figure.endsWith("Ms") ? " ms" : "";
  const value = (limit: number): string => (isShare ? `${Math.round(limit * 100)} %` : `${limit}${unit}`);
  return `${NAMES[figure]} ${atLeast === undefined ? `at most ${value(atMost ?? 0)}` : `at least ${value(atLeast)}`}`;
}
