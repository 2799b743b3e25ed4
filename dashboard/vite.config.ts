import { copyFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type InlineConfig, mergeConfig, type Plugin } from "vite";
import { compressFiles } from "./build/compress-files.ts";
import { firstChunks, preloadStart } from "./build/first-chunks.ts";
import { sharedChunks } from "./build/shared-chunks.ts";
import { valuesAtBuild } from "./build/values-at-build.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const TARGET = "es2022";

/** Builds the pages and their assets into `dist/`, which the control API serves. */
export default defineConfig({
  root: at("."),
  base: "/",
  plugins: [valuesAtBuild(), react(), preloadStart(), afterPages()],
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: TARGET,
    // AudioWorklet.addModule refuses data: URLs under a strict content security policy.
    assetsInlineLimit: 0,
    // What each page loads, for `scripts/weigh-pages.ts`.
    manifest: ".vite/app.json",
    rolldownOptions: {
      input: ["talk.html", "public.html", "app.html"].map(at),
      output: {
        codeSplitting: { groups: [firstChunks(), sharedChunks()], includeDependenciesRecursively: false },
      },
    },
  },
});

/** After the pages, builds the sign-in pages and the chat widget, then compresses everything. */
function afterPages(): Plugin {
  let outDir = "";
  return {
    name: "after-pages",
    apply: "build",
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      await buildBeside(outDir, SIGN_IN);
      await buildBeside(outDir, WIDGET);
      await buildBeside(outDir, EMBED);
      await buildBeside(outDir, APP_FRAME);
      await copyFile(at("../platform/sdk/design/platform.css"), `${outDir}/app-frame.css`);
      await compressFiles(outDir);
    },
  };
}

/** People wait for sign-in, and it needs little: Preact replaces React, which is three times as large. */
const SIGN_IN: InlineConfig = {
  resolve: {
    alias: [
      { find: /^react$/, replacement: "preact/compat" },
      { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
    ],
  },
  build: {
    assetsInlineLimit: 0,
    manifest: ".vite/sign-in.json",
    rolldownOptions: { input: at("sign-in.html") },
  },
};

/** The chat widget as a single script, for other sites. */
const WIDGET: InlineConfig = {
  publicDir: false,
  build: {
    lib: {
      entry: at("widget/main.ts"),
      formats: ["iife"],
      name: "parleyWidget",
      fileName: () => "widget.js",
    },
  },
};

/** A single script for other sites that frames a public agent's page. */
const EMBED: InlineConfig = {
  publicDir: false,
  build: {
    lib: {
      entry: at("embed/main.ts"),
      formats: ["iife"],
      name: "parleyEmbed",
      fileName: () => "embed.js",
    },
  },
};

/** The first script of every app's frame. */
const APP_FRAME: InlineConfig = {
  publicDir: false,
  build: {
    lib: {
      entry: at("../platform/sdk/frame/main.ts"),
      formats: ["iife"],
      name: "parleyFrame",
      fileName: () => "app-frame.js",
    },
  },
};

async function buildBeside(outDir: string, config: InlineConfig): Promise<void> {
  const shared: InlineConfig = {
    configFile: false,
    root: at("."),
    base: "/",
    logLevel: "warn",
    build: { outDir, emptyOutDir: false, target: TARGET },
  };
  await build(mergeConfig(shared, config));
}
