import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { AppError } from "../../errors.ts";

/** Locks of dead processes that are taken away before it is somebody alive who keeps making them. */
const MAX_TRIES = 5;

/**
 * Keeps a second process out of an embedded database's directory: the two would overwrite each other's
 * pages without noticing. A process that was killed leaves its lock behind and holds nothing. Gives the
 * function that unlocks. Throws `AppError` conflict.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = `${directory}.lock`;
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${process.pid} ${await startOf(process.pid)}`);
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (await wasLinked(draft, path)) return () => rm(path, { force: true });
      const pid = await livingHolder(path);
      if (pid !== undefined) throw inUse(directory, pid);
      await rm(path, { force: true });
    }
    throw inUse(directory, undefined);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Linking fails when the lock is there already, so of many who try at once one succeeds. */
async function wasLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function livingHolder(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [, pidText, startedAt] = /^(\d+) (\d*)$/.exec(text) ?? [];
  const pid = Number(pidText);
  if (pidText === undefined || !isAlive(pid)) return undefined;
  // Another process may have the dead one's number; in a container that restarts it often does.
  return (await startOf(pid)) === startedAt ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process started, in ticks since the machine did; empty where the system does not tell. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in parentheses may hold anything; the start is the 20th field after it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function inUse(directory: string, pid: number | undefined): AppError {
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return new AppError(
    "conflict",
    `The database in ${directory} is in use by ${who}. End it, set another DATA_DIR, or share a Postgres by DATABASE_URL.`,
  );
}
