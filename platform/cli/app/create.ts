import { constants } from "node:fs";
import { access, cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { MANIFEST_FILE, manifestJsonSchema, manifestSchema } from "../../manifest/manifest.ts";
import { CliError } from "../cli-error.ts";

const TEMPLATE = fileURLToPath(new URL("template", import.meta.url));
/** Where the types are of what an app may import without installing it. */
const SDK = fileURLToPath(new URL("../../sdk", import.meta.url));
const CLONE = fileURLToPath(new URL("../../..", import.meta.url));
/** JSON Schema that editors use to complete the manifest. */
const SCHEMA_FILE = "platform.app.schema.json";

/**
 * Writes a runnable app into a folder and names the app after it. Throws `CliError` when the folder is not
 * empty.
 */
export async function createApp(dir: string): Promise<{ readonly id: string }> {
  const path = resolve(dir);
  const id = basename(path);
  if (!manifestSchema.shape.id.safeParse(id).success)
    throw new CliError(
      `${JSON.stringify(id)} is not a valid app name. Use 3 to 50 lowercase letters, digits and dashes, such as call-notes.`,
    );
  await openFolder(path).catch((error: unknown) => {
    throw new CliError(`The folder ${dir} cannot be created (${codeOf(error)}). Choose another one.`);
  });
  if ((await readdir(path)).length > 0) throw new CliError(`${dir} is not empty. Choose another folder.`);
  await cp(TEMPLATE, path, { recursive: true });
  const manifest = JSON.parse(await readFile(join(path, MANIFEST_FILE), "utf8")) as object;
  const own = { $schema: `./${SCHEMA_FILE}`, ...manifest, id, name: nameOf(id) };
  await writeFile(join(path, MANIFEST_FILE), `${JSON.stringify(own, null, 2)}\n`);
  await writeFile(join(path, SCHEMA_FILE), `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
  await nameTypes(path);
  return { id };
}

async function openFolder(path: string): Promise<void> {
  await makeFolder(path);
  await access(path, constants.W_OK);
}

/** Node's own `recursive` never ends in file systems that take no folders, such as `/proc`. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await isFolder(path))) return;
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || (await isFolder(parent))) throw error;
    await makeFolder(parent);
    await mkdir(path);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), "code"));
}

/** Tells editors and the compiler where the given packages are, as an app may be anywhere. */
async function nameTypes(path: string): Promise<void> {
  const file = join(path, "tsconfig.json");
  const { compilerOptions, ...more } = JSON.parse(await readFile(file, "utf8")) as {
    readonly compilerOptions: object;
  };
  const to = (...names: readonly string[]): string => relative(path, join(...names)).replaceAll("\\", "/");
  const types = (name: string) => [`./${to(CLONE, "node_modules/@types", name)}`];
  const paths = {
    platform: [`./${to(SDK, "index.ts")}`],
    "platform/*": [`./${to(SDK, "*")}`],
    react: types("react"),
    "react/*": types("react/*"),
    "react-dom": types("react-dom"),
    "react-dom/*": types("react-dom/*"),
  };
  const config = { compilerOptions: { ...compilerOptions, paths }, ...more };
  await writeFile(file, `${JSON.stringify(config, null, 2)}\n`);
}

function nameOf(id: string): string {
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
