import { randomUUID } from "node:crypto";
import { link, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { AppError } from "@parley/shared/errors.ts";

/** Losses to processes that have since gone; more mean a living rival. */
const MAX_TRIES = 20;

/**
 * Keeps a second process out of an embedded database's directory: the two would overwrite each other's pages unnoticed.
 * A killed process leaves its lock file behind but holds nothing. Returns the function that unlocks. Throws `AppError`
 * conflict.
 *
 * Locks are numbered files and the highest number is the lock. A dead holder's file is never removed to make room,
 * since two processes could do so and the slower one remove the faster one's. Instead the next number tops it, which
 * only one process can create.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const draft = `${directory}.draft.${randomUUID()}`;
  await writeFile(draft, `${process.pid} ${await startOf(process.pid)}`);
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const last = (await numbersOf(directory)).at(-1) ?? 0;
      const pid = await livingHolder(pathOf(directory, last));
      if (pid !== undefined) throw inUse(directory, pid);
      const path = pathOf(directory, last + 1);
      if (!(await wasLinked(draft, path))) continue;
      if (await isHighest(directory, last + 1)) return () => release(path);
      await rm(path, { force: true });
    }
    throw inUse(directory, undefined);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Number 0 has no suffix, as in versions with only one lock file. */
function pathOf(directory: string, number: number): string {
  return number === 0 ? `${directory}.lock` : `${directory}.lock.${number}`;
}

/** Numbers of the existing locks, in order. */
async function numbersOf(directory: string): Promise<number[]> {
  const prefix = `${basename(directory)}.lock.`;
  const names = (await readdir(dirname(directory))).filter((name) => name.startsWith(prefix));
  return names.map((name) => Number(name.slice(prefix.length))).sort((a, b) => a - b);
}

/**
 * A process that looked long ago may have created a number that was topped and removed meanwhile. Removes those below
 * the highest.
 */
async function isHighest(directory: string, number: number): Promise<boolean> {
  const numbers = await numbersOf(directory);
  if (numbers.at(-1) !== number) return false;
  for (const lower of [0, ...numbers.slice(0, -1)]) await rm(pathOf(directory, lower), { force: true });
  return true;
}

/** Keeps the file: a number must not be reused. */
async function release(path: string): Promise<void> {
  try {
    await truncate(path);
  } catch (error) {
    // With the whole directory gone there is nothing to hold.
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Linking fails if the lock exists, so exactly one of many contenders succeeds. */
async function wasLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function livingHolder(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [, pidText, startedAt] = /^(\d+) (\d*)$/.exec(text) ?? [];
  const pid = Number(pidText);
  if (pidText === undefined || !isAlive(pid)) return undefined;
  // Another process may have the dead one's pid, as is common in restarted containers.
  return (await startOf(pid)) === startedAt ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** When a process started, in ticks since boot; empty if the system does not say. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The parenthesized name may contain anything; the start time is the 20th field after it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function inUse(directory: string, pid: number | undefined): AppError {
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return new AppError(
    "conflict",
    `The database in ${directory} is in use by ${who}. End it, set another DATA_DIR, or share a Postgres by DATABASE_URL.`,
  );
}
