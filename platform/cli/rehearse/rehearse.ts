import { readFile, writeFile } from "node:fs/promises";
import { callApi, type SignedIn } from "../api-call.ts";
import { CliError } from "../cli-error.ts";
import { clean, type Stream } from "../output.ts";
import type { RehearseOptions } from "./rehearse-options.ts";
import { type FileReport, junitOf, type Rehearsal, type Report, reasonsOf } from "./report.ts";
import { signIn } from "./sign-in.ts";

/** Parley holds conversations for so long before it gives a report up. */
const HELD_WITHIN_MS = 115_000;
const FAILED = 1;

/**
 * Holds the conversations of all files, file by file, those of a file side by side. Gives the exit code. Throws `ApiError`,
 * `CliError`.
 */
export async function rehearse(
  options: RehearseOptions,
  { out, signal }: { readonly out: Stream; readonly signal: AbortSignal },
): Promise<number> {
  // Read before anything is held: a file that is none shows at once.
  const scenarios = await Promise.all(options.files.map(scenariosIn));
  const who = await signIn(options, signal);
  const reports: FileReport[] = [];
  for (const [index, file] of options.files.entries()) {
    const report = await hold(who, { agentId: options.agentId, scenarios: scenarios[index] }, signal);
    reports.push({ file, report });
    out.write(options.json ? `${JSON.stringify({ file, ...report })}\n` : told(file, report));
  }
  if (options.junit !== undefined) await written(options.junit, junitOf(reports));
  return reports.every(({ report }) => report.passed === report.total) ? 0 : FAILED;
}

/** `{"scenarios": […]}`, or the list itself. */
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

async function hold(
  who: SignedIn,
  { agentId, scenarios }: { readonly agentId: string; readonly scenarios: unknown },
  signal: AbortSignal,
): Promise<Report> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/simulations`;
  const request = { method: "POST", path, signal, body: { scenarios }, extraMs: HELD_WITHIN_MS } as const;
  const { data } = await callApi(who, request);
  return data as Report;
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

function told(file: string, { agentVersion, passed, total, tookMs, rehearsals }: Report): string {
  const lines = rehearsals.flatMap(toldOf);
  const took = (tookMs / 1_000).toFixed(1);
  return `${lines.join("")}${clean(file)}: ${passed} of ${total} passed in ${took} s, version ${agentVersion}\n`;
}

function toldOf(one: Rehearsal): string[] {
  const turns = one.turns === 1 ? "1 turn" : `${one.turns} turns`;
  if (one.passed) return [`✓ ${clean(one.name)} (${turns})\n`];
  const reasons = reasonsOf(one).map((reason) => `    ${clean(reason)}\n`);
  return [`✗ ${clean(one.name)}  ${clean(one.sessionId)}\n`, ...reasons];
}
