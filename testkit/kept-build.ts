import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../scripts/dashboard-sources.ts";

/** Where what tests build stays until its sources change. */
export const KEPT_IN = join(ROOT, "node_modules/.cache/parley");

/**
 * Builds a folder unless it is there already; one that fails, or is interrupted, leaves none.
 * @param buildInto builds into another folder, which is then renamed
 * @returns the folder
 */
export async function keptBuild(
  directory: string,
  buildInto: (outDir: string) => Promise<unknown>,
): Promise<string> {
  if (existsSync(directory)) return directory;
  await mkdir(dirname(directory), { recursive: true });
  const outDir = `${directory}.${randomUUID()}`;
  try {
    await buildInto(outDir);
    // A concurrent build may be first: its result is just as good.
    await rename(outDir, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
  return directory;
}
