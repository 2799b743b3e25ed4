import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";
import { compressFiles } from "./build/compress-files.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const TARGET = "es2022";

/** Builds the pages and what they need into `dist/`; the control API serves that folder. */
export default defineConfig({
  root: at("."),
  base: "/",
  plugins: [react(), afterPages()],
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: TARGET,
    // AudioWorklet.addModule refuses data: URLs under a strict content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ["talk.html", "app.html"].map(at),
    },
  },
});

/** After the pages, and beside them, the chat widget; then all of it compressed. */
function afterPages(): Plugin {
  let outDir = "";
  return {
    name: "after-pages",
    apply: "build",
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      await buildWidget(outDir);
      await compressFiles(outDir);
    },
  };
}

/** One script, for pages that are not ours. */
async function buildWidget(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: at("."),
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      lib: {
        entry: at("widget/main.ts"),
        formats: ["iife"],
        name: "parleyWidget",
        fileName: () => "widget.js",
      },
    },
  });
}
