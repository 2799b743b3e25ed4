import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { MANIFEST_FILE, manifestJsonSchema, manifestSchema } from "../../manifest/manifest.ts";
import { CliError } from "../cli-error.ts";

const TEMPLATE = fileURLToPath(new URL("template", import.meta.url));
/** What editors complete the manifest by. */
const SCHEMA_FILE = "platform.app.schema.json";

/** Writes an app that runs into a folder; its name becomes the app's. Throws `CliError` when there is something in it. */
export async function createApp(dir: string): Promise<{ readonly id: string }> {
  const path = resolve(dir);
  const id = basename(path);
  if (!manifestSchema.shape.id.safeParse(id).success)
    throw new CliError(
      `${JSON.stringify(id)} is no name for an app: take 3 to 50 small letters, digits and dashes, as call-notes.`,
    );
  await mkdir(path, { recursive: true });
  if ((await readdir(path)).length > 0) throw new CliError(`${dir} is not empty; name another folder.`);
  await cp(TEMPLATE, path, { recursive: true });
  const manifest = JSON.parse(await readFile(join(path, MANIFEST_FILE), "utf8")) as object;
  const own = { $schema: `./${SCHEMA_FILE}`, ...manifest, id, name: nameOf(id) };
  await writeFile(join(path, MANIFEST_FILE), `${JSON.stringify(own, null, 2)}\n`);
  await writeFile(join(path, SCHEMA_FILE), `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
  return { id };
}

function nameOf(id: string): string {
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
