/**
 * Builds the dashboard when its `dist/` is missing or older than its sources. Runs before `npm start` and
 * `npm test`, so that neither needs a separate build step.
 */
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dashboardSources, ROOT } from "./dashboard-sources.ts";

const STAMP = join(ROOT, "dashboard/dist/.built");

const startedAt = new Date();
if (newestSourceMs() > builtMs()) await build();

function newestSourceMs(): number {
  return Math.max(...dashboardSources().map((file) => statSync(join(ROOT, file)).mtimeMs));
}

function builtMs(): number {
  return existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0;
}

async function build(): Promise<void> {
  console.log("Building the dashboard …");
  rmSync(STAMP, { force: true });
  const vite = await import("vite");
  await vite.build({ root: join(ROOT, "dashboard"), logLevel: "warn" });
  // A source saved during the build is newer than its start, so the next run rebuilds.
  writeFileSync(STAMP, "");
  utimesSync(STAMP, startedAt, startedAt);
}
