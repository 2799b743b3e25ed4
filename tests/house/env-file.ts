import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parseEnvFile, ROOT } from "./compose-file.ts";

/** Runs `scripts/make-env.ts`; throws with its words when it refuses. */
export function makeEnvFile(file: string): void {
  execFileSync(process.execPath, [join(ROOT, "scripts/make-env.ts"), file], { stdio: "pipe" });
}

/** An .env as a person makes it, in a folder that goes with the test. */
export async function freshEnv(): Promise<{ file: string; env: Record<string, string> }> {
  const folder = await mkdtemp(join(tmpdir(), "parley-env-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, ".env");
  makeEnvFile(file);
  return { file, env: parseEnvFile(await readFile(file, "utf8")) };
}
