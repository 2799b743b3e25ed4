import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { ROOT } from "../scripts/dashboard-sources.ts";
import { KEPT_IN, keptBuild } from "./kept-build.ts";

/** With how they are built; the lockfile stands for every package. */
const SOURCES = [
  "{shared,media,gateway,control-api,platform}/**/*.{ts,json}",
  "testkit/{built-servers,kept-build}.ts",
  "package-lock.json",
];
const NOT_SOURCES = /(^|\/)node_modules(\/|$)|\.test\.ts$/;

/** Files of the servers, each from one source. */
const ENTRIES = { "control-api/main.ts": "control-api.js", "gateway/main.ts": "gateway.js" } as const;
export type ServerScript = keyof typeof ENTRIES;

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the servers' files, once they are built. */
    builtServers: string;
  }
}

/** Packages of some hundred files each, whose things nobody but the servers' own sources sees: they go into the same file. */
const OF_MANY_FILES = /^(kysely|jose|libphonenumber-js)(\/|$)/;

/** Compiled code of those files: a process that ends by itself leaves it to the next. */
export const COMPILED_CODE = join(KEPT_IN, "compiled");

/** Says where the servers of these sources are: hashing 1,700 files once a run is enough. */
export default async function provideServers(project: TestProject): Promise<void> {
  // Each of these files starts a process, which loads the same packages.
  process.env.NODE_COMPILE_CACHE ??= COMPILED_CODE;
  const say = async (): Promise<void> =>
    project.provide("builtServers", join(KEPT_IN, `servers-${await fingerprint()}`));
  await say();
  project.onTestsRerun(say);
}

/**
 * A server in one file, beside the packages it uses: reading, stripping and linking its 1,000 sources is most of what it
 * costs to start it, and drills start dozens. Built by the first who asks, and again after a source change.
 * @returns its path
 */
export async function builtServer(script: ServerScript): Promise<string> {
  return join(await keptBuild(inject("builtServers"), buildInto), ENTRIES[script]);
}

/** Hash of all their sources. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  const sources = globSync(SOURCES, { cwd: ROOT, exclude: (path) => NOT_SOURCES.test(path) }).toSorted();
  const texts = await Promise.all(sources.map((source) => readFile(join(ROOT, source))));
  for (const [at, source] of sources.entries()) hash.update(`${source}\n`).update(texts[at] ?? "");
  return hash.digest("hex").slice(0, 16);
}

async function buildInto(outDir: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    plugins: [placeOfSource()],
    ssr: { noExternal: [/^@parley\//, /^platform(\/|$)/, OF_MANY_FILES] },
    build: {
      ssr: true,
      outDir,
      target: "node20",
      minify: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(ENTRIES).map(([script, file]) => [file.slice(0, -".js".length), join(ROOT, script)]),
        ),
        output: { entryFileNames: "[name].js" },
      },
    },
  });
}

/** Lets each source find what lies beside it, such as its worker's script, where it lies. */
function placeOfSource(): Plugin {
  return {
    name: "place-of-source",
    enforce: "pre",
    transform: (code, id) =>
      code.includes("import.meta.url")
        ? code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        : undefined,
  };
}
