import { globSync } from "node:fs";
import { resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");

/** The lockfile stands for every package that ends up in the bundle. */
const SOURCES = [
  "dashboard/**/*",
  "shared/contracts/**/*.ts",
  "platform/{host,manifest,methods,sdk,wire}/**/*",
  "package-lock.json",
];
const NOT_SOURCES = /(^|\/)(dist|node_modules)(\/|$)|\.test\.tsx?$/;

/** What the dashboard's pages are made of: files and folders, relative to the root, in the order of their names. */
export function dashboardSources(): string[] {
  return globSync(SOURCES, { cwd: ROOT, exclude: (path) => NOT_SOURCES.test(path) }).toSorted();
}
