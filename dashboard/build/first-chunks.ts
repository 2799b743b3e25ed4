import { resolve } from "node:path";
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

const DASHBOARD = resolve(import.meta.dirname, "..");
/** The first script, which waits for nothing that comes later. */
const MAIN = resolve(DASHBOARD, "app/main.ts");
export const START = resolve(DASHBOARD, "app/start.tsx");
/** Pages for visitors, which load nothing that only the dashboard needs. */
export const FOR_VISITORS = ["features/talk/main.tsx", "features/public-agent/main.tsx"].map((file) =>
  resolve(DASHBOARD, file),
);

type Group = Rolldown.CodeSplittingGroup;
export interface Modules {
  getModuleInfo(id: string): Rolldown.ModuleInfo | null;
}

/**
 * Puts what the first script and the start of every page of the dashboard load into two chunks each, where it would be seventy:
 * each costs a slow machine milliseconds before anything is shown. One of two holds what the visitors' pages have as well.
 */
export function firstChunks(): Group {
  let known: Readonly<Record<"main" | "start" | "visitors", ReadonlySet<string>>> | undefined;
  return {
    debugName: "first chunks",
    name: (id, modules) => {
      known ??= {
        main: reached([MAIN], modules, ({ importedIds }) => importedIds),
        start: reached([START], modules, ({ importedIds }) => importedIds),
        visitors: reached(FOR_VISITORS, modules, ({ importedIds, dynamicallyImportedIds }) => [
          ...importedIds,
          ...dynamicallyImportedIds,
        ]),
      };
      const { main, start, visitors } = known;
      if (id === MAIN || id === START) return null;
      if (main.has(id)) return visitors.has(id) ? "first-base" : "first";
      if (!start.has(id)) return null;
      return visitors.has(id) ? "base" : "shell";
    },
  };
}

/** The modules that some modules lead to, with themselves. */
export function reached(
  from: readonly string[],
  modules: Modules,
  next: (module: Rolldown.ModuleInfo) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const module = modules.getModuleInfo(id);
    if (module) open.push(...next(module));
  }
  return found;
}

/**
 * Lets the browser fetch the dashboard's start while it reads the first script, which imports it, and paint nothing
 * before that script has applied the theme.
 */
export function preloadStart(): Plugin {
  return {
    name: "preload-start",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle, filename }) => {
        if (!filename.endsWith("app.html") || !bundle) return html;
        const files = filesOf(START, bundle).filter((file) => !html.includes(file));
        const tags = files.map(
          (file): HtmlTagDescriptor => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          }),
        );
        return {
          html: html.replace('<script type="module"', '<script type="module" blocking="render"'),
          tags,
        };
      },
    },
  };
}

/** A module's chunk, and what it imports. */
function filesOf(module: string, bundle: Rolldown.OutputBundle): string[] {
  const chunk = Object.values(bundle).find(
    (output) => output.type === "chunk" && output.facadeModuleId === module,
  );
  if (chunk?.type !== "chunk") throw new Error(`${module} has no chunk of its own.`);
  const files = new Set<string>();
  const open = [chunk.fileName];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const output = bundle[file];
    if (output?.type === "chunk") open.push(...output.imports);
  }
  return [...files];
}
