import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const ENDING = ".at-build.ts";

/**
 * Puts the values that a `*.at-build.ts` exports in place of its code: they are worked out once, by the build, so that
 * no page loads what they are worked out from.
 */
export function valuesAtBuild(): Plugin {
  return {
    name: "values-at-build",
    enforce: "pre",
    load: async (id) => {
      if (!id.endsWith(ENDING)) return null;
      const values = (await import(pathToFileURL(id).href)) as Readonly<Record<string, unknown>>;
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}
