import { globSync } from "node:fs";
import { resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");

/** The lockfile stands for every bundled package. */
const SOURCES = [
  "dashboard/**/*",
  "shared/contracts/**/*.ts",
  "platform/{host,manifest,methods,sdk,wire}/**/*",
  "package-lock.json",
];
const NOT_SOURCES = /(^|\/)(dist|node_modules)(\/|$)|\.test\.tsx?$/;

/** Sources of the dashboard's pages: files and folders relative to the root, sorted by name. */
export function dashboardSources(): string[] {
  return globSync(SOURCES, { cwd: ROOT, exclude: (path) => NOT_SOURCES.test(path) }).toSorted();
}
