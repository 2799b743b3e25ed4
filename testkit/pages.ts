import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { dashboardSources, ROOT } from "../scripts/dashboard-sources.ts";

const KEPT_IN = join(ROOT, "node_modules/.cache/parley");

/**
 * The dashboard's pages and the widget, built with React's warnings and the page of all components, which `npm start`
 * leaves out. Built by the first test that needs them, and again after a source change. @returns the folder, which is read-only by
 * convention
 */
export async function builtPages(): Promise<string> {
  const directory = join(KEPT_IN, `pages-${await fingerprint()}`);
  if (!existsSync(directory)) await buildInto(directory);
  return directory;
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

async function buildInto(directory: string): Promise<void> {
  await mkdir(KEPT_IN, { recursive: true });
  const outDir = `${directory}.${randomUUID()}`;
  try {
    const { build } = await import("vite");
    await build({
      configFile: join(ROOT, "dashboard/vite.config.ts"),
      logLevel: "error",
      // Besides the pages of the configuration.
      build: { outDir, rolldownOptions: { input: [join(ROOT, "dashboard/gallery.html")] } },
    });
    // A concurrent build may be first: its result is just as good.
    await rename(outDir, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
