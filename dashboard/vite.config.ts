import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const TARGET = "es2022";

/** Builds the pages and what they need into `dist/`; the control API serves that folder. */
export default defineConfig({
  root: at("."),
  base: "/",
  plugins: [react(), widget()],
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

/** After the pages, and beside them, the chat widget: one script, for pages that are not ours. */
function widget(): Plugin {
  let outDir = "";
  return {
    name: "widget",
    apply: "build",
    configResolved: (config) => {
      outDir = config.build.outDir;
    },
    closeBundle: async () => {
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
    },
  };
}
