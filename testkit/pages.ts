import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { dashboardSources, ROOT } from "../scripts/dashboard-sources.ts";
import { KEPT_IN, keptBuild } from "./kept-build.ts";

/**
 * The dashboard's pages and the widget, built with React's warnings and the page of all components, which `npm start`
 * leaves out. Built by the first test that needs them, and again after a source change. @returns the folder, which is read-only by
 * convention
 */
export async function builtPages(): Promise<string> {
  return keptBuild(join(KEPT_IN, `pages-${await fingerprint()}`), buildInto);
}

/** Hash of all their sources. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of dashboardSources()) {
    const path = join(ROOT, source);
    hash.update(`${source}\n`);
    if ((await stat(path)).isFile()) hash.update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 16);
}

async function buildInto(outDir: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    configFile: join(ROOT, "dashboard/vite.config.ts"),
    logLevel: "error",
    // Besides the pages of the configuration.
    build: { outDir, rolldownOptions: { input: [join(ROOT, "dashboard/gallery.html")] } },
  });
}
