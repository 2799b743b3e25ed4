import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the pages and what they need into `dist/`; the control API serves that folder. */
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
    rolldownOptions: {
      input: ["talk.html", "app.html"].map((page) => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
});
