import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { callApi, type SignedIn } from "../api-call.ts";
import { CliError } from "../cli-error.ts";
import { clean, type Stream } from "../output.ts";
import type { RehearseOptions } from "./rehearse-options.ts";
import { type FileReport, figuresOf, junitOf, type Rehearsal, type Report, reasonsOf } from "./report.ts";
import { signIn } from "./sign-in.ts";

/** How long Parley holds conversations before it gives up on a report. */
const HELD_WITHIN_MS = 115_000;
const FAILED = 1;
const LOOK_EVERY_MS = 1_000;
/** Stands in for a file name. */
const OWN = "the agent's own";

/**
 * Holds the conversations of each file in turn, those of one file in parallel; without files, the agent's
 * own. Returns the exit code. Throws `ApiError`, `CliError`.
 */
export async function rehearse(
  options: RehearseOptions,
  { out, signal }: { readonly out: Stream; readonly signal: AbortSignal },
): Promise<number> {
  // Read first, so a bad file fails before any conversation is held.
  const scenarios = await Promise.all(options.files.map(scenariosIn));
  const who = await signIn(options, signal);
  const reports: FileReport[] = [];
  const files = options.files.length === 0 ? [OWN] : options.files;
  for (const [index, file] of files.entries()) {
    const tell = (one: Rehearsal): void => {
      if (!options.json) out.write(toldOf(one).join(""));
    };
    const report = await hold(who, { ...options, scenarios: scenarios[index] }, { tell, signal });
    reports.push({ file, report });
    out.write(options.json ? `${JSON.stringify({ file, ...report })}\n` : summaryOf(file, report));
  }
  if (options.junit !== undefined) await written(options.junit, junitOf(reports));
  return reports.every(({ report }) => report.passed === report.total) ? 0 : FAILED;
}

/** Reads `{"scenarios": […]}`, or the bare list. */
async function scenariosIn(file: string): Promise<unknown> {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const scenarios = typeof read === "object" && read !== null && "scenarios" in read ? read.scenarios : read;
  if (Array.isArray(scenarios)) return scenarios;
  throw new CliError(`${file} has no scenarios: it needs {"scenarios": […]}.`);
}

type Wanted = Pick<RehearseOptions, "agentId" | "speech"> & { readonly scenarios: unknown };

/** Has a file's conversations held, and tells of each when it is over. */
async function hold(
  who: SignedIn,
  { agentId, scenarios, speech }: Wanted,
  { tell, signal }: { readonly tell: (one: Rehearsal) => void; readonly signal: AbortSignal },
): Promise<Report> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/simulations`;
  const body = {
    ...(scenarios === undefined ? {} : { scenarios }),
    ...(speech ? { mode: "speech", noise: speech.noise } : {}),
  };
  const request = { method: "POST", path, signal, body, extraMs: HELD_WITHIN_MS } as const;
  let report = (await callApi(who, request)).data as Report;
  const told = new Set<string>();
  for (;;) {
    for (const one of report.rehearsals.filter(({ name }) => !told.has(name))) {
      told.add(one.name);
      tell(one);
    }
    if (report.state !== "running") return report;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    const read = { method: "GET", path: `${path}/${report.reportId}`, signal } as const;
    report = (await callApi(who, read)).data as Report;
  }
}

async function written(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CliError(
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function summaryOf(file: string, { agentVersion, passed, total, tookMs, error }: Report): string {
  const took = (tookMs / 1_000).toFixed(1);
  const why = error === null ? "" : `    ${clean(error)}\n`;
  return `${why}${clean(file)}: ${passed} of ${total} passed in ${took} s, version ${agentVersion}\n`;
}

function toldOf(one: Rehearsal): string[] {
  const turns = one.turns === 1 ? "1 turn" : `${one.turns} turns`;
  const figures = one.speech ? [`    ${figuresOf(one)}\n`] : [];
  if (one.passed) return [`✓ ${clean(one.name)} (${turns})\n`, ...figures];
  const reasons = reasonsOf(one).map((reason) => `    ${clean(reason)}\n`);
  return [`✗ ${clean(one.name)}  ${clean(one.sessionId)}\n`, ...reasons, ...figures];
}
