import { access, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig, type Plugin, type Rolldown } from "vite";
import { MANIFEST_FILE } from "../../manifest/manifest.ts";
import { CliError } from "../cli-error.ts";

/** The package's own module, from which React resolves for apps that have none. */
const HERE = fileURLToPath(import.meta.resolve("platform/react"));
const ENTRIES = ["src/index.tsx", "src/index.ts", "src/index.jsx", "src/index.js"];
/** Packages an app may import without installing them. */
const GIVEN = /^(react|react-dom|platform)(\/|$)/;

/**
 * Builds an app's bundle: its manifest, `index.js`, and `index.css` if it has styles. Throws `CliError`, also
 * when the build fails.
 */
export async function buildApp(dir: string): Promise<Map<string, Uint8Array>> {
  const root = resolve(dir);
  const manifest = await readFile(join(root, MANIFEST_FILE)).catch(() => undefined);
  if (!manifest)
    throw new CliError(
      `There is no ${MANIFEST_FILE} in ${dir === "." ? "this folder" : dir}. Create an app with: parley app create <folder>`,
    );
  const files = await bundle(root, { entry: await entryOf(root), name: "index" });
  return new Map([[MANIFEST_FILE, new Uint8Array(manifest)], ...files]);
}

/** Bundles everything `entry` imports into one script plus its styles. Throws `CliError`. */
export async function bundle(
  root: string,
  { entry, name }: { readonly entry: string; readonly name: string },
): Promise<[path: string, bytes: Uint8Array][]> {
  const config: InlineConfig = {
    root,
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    plugins: [givenPackages(root)],
    mode: "production",
    oxc: { jsx: { runtime: "automatic", development: false } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2022",
      lib: { entry, formats: ["es"], fileName: () => `${name}.js`, cssFileName: name },
    },
  };
  try {
    const built = (await build(config)) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[];
    return [built]
      .flat()
      .flatMap(({ output }) => output.map((file) => [file.fileName, bytesOf(file)] as [string, Uint8Array]));
  } catch (error) {
    throw new CliError(`The app cannot be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function entryOf(root: string): Promise<string> {
  for (const entry of ENTRIES) {
    const path = join(root, entry);
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new CliError(`There is no ${ENTRIES[0]} (or .ts, .jsx, .js): an app starts there, with mount(App).`);
}

/** Resolves to the app's own copy, if any, for the whole bundle: two Reacts on one page do not share state. */
function givenPackages(root: string): Plugin {
  return {
    name: "parley-given-packages",
    enforce: "pre",
    async resolveId(source) {
      if (!GIVEN.test(source)) return undefined;
      const own = await this.resolve(source, join(root, MANIFEST_FILE), { skipSelf: true });
      return own ?? this.resolve(source, HERE, { skipSelf: true });
    },
  };
}

function bytesOf(file: Rolldown.OutputChunk | Rolldown.OutputAsset): Uint8Array {
  const content = file.type === "chunk" ? file.code : file.source;
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}
