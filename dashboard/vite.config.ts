import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds `talk.html` and what it needs into `dist/`; the control API serves that folder. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // AudioWorklet.addModule refuses data: URLs under a strict content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: { input: fileURLToPath(new URL("talk.html", import.meta.url)) },
  },
});
