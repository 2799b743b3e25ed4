import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Bench, Figure } from "./figure.ts";

export const RESULTS_DIR = fileURLToPath(new URL("../../results", import.meta.url));

/** Where, when and with what a result was measured. */
export interface Provenance {
  readonly takenAt: string;
  readonly commit: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly kernel: string;
  };
  readonly versions: { readonly node: string; readonly v8: string; readonly uWebSockets: string };
}

/** A file in `loadtest/results`. */
export interface BenchResult extends Provenance {
  readonly bench: string;
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** The machine and versions of this run. */
export function provenance(): Provenance {
  const cores = cpus();
  return {
    takenAt: new Date().toISOString(),
    commit: commit(),
    machine: {
      cpu: cores[0]?.model ?? "unknown",
      cores: cores.length,
      memoryBytes: totalmem(),
      kernel: release(),
    },
    versions: {
      node: process.versions.node,
      v8: process.versions.v8,
      uWebSockets: uwsVersion(),
    },
  };
}

/** Writes a bench's result where `docs/performance.md` is generated from; returns the path. */
export async function writeResult(bench: Bench, figures: readonly Figure[]): Promise<string> {
  const result: BenchResult = { bench: bench.name, title: bench.title, ...provenance(), figures };
  await mkdir(RESULTS_DIR, { recursive: true });
  const path = `${RESULTS_DIR}/${bench.name}.json`;
  await writeFile(path, `${JSON.stringify(result, null, 2)}\n`);
  return path;
}

/** `-dirty` means that the sources differ from the commit; results of benches that ran before are no sources. */
function commit(): string {
  const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", `:!${RESULTS_DIR}`);
    return `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "-dirty"}`;
  } catch {
    return "unknown";
  }
}

function uwsVersion(): string {
  const path = fileURLToPath(new URL("../package.json", import.meta.resolve("uWebSockets.js")));
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
  return version;
}
