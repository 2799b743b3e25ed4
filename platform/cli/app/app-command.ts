import type { Connection } from "../api-call.ts";
import { CliError } from "../cli-error.ts";
import { connectionOf, type Env } from "../connection.ts";

/** The port dev preview tries first. */
const DEV_PORT = 5174;
const WHAT = "parley app create <folder>, dev, validate or publish";

/** A command on an app; `dir` is the app's folder. */
export type AppCommand =
  | { readonly kind: "app-create" | "app-validate"; readonly dir: string }
  | { readonly kind: "app-dev"; readonly dir: string; readonly port: number }
  | {
      readonly kind: "app-publish";
      readonly options: Connection & { readonly dir: string; readonly activate: boolean };
    };

interface Values {
  readonly port?: string | undefined;
  readonly "no-activate"?: boolean | undefined;
  readonly api?: string | undefined;
  readonly key?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The options that not all commands on apps have, with the one that does. */
const OPTIONS_OF: Readonly<Record<keyof Values, string | undefined>> = {
  port: "dev",
  "no-activate": "publish",
  api: "publish",
  key: "publish",
  json: undefined,
};

/** Reads an app command. Throws `CliError`. */
export function appCommandOf(values: Values, [what, dir, ...more]: readonly string[], env: Env): AppCommand {
  if (more.length > 0) throw new CliError(`Unexpected argument ${JSON.stringify(more[0])}. Name one folder.`);
  assertKnown(what, values);
  switch (what) {
    case "create":
      if (dir === undefined) throw new CliError("Name a folder, for example: parley app create call-notes.");
      return { kind: "app-create", dir };
    case "validate":
      return { kind: "app-validate", dir: dir ?? "." };
    case "dev":
      return { kind: "app-dev", dir: dir ?? ".", port: portOf(values.port) };
    case "publish":
      return {
        kind: "app-publish",
        options: { ...connectionOf(values, env), dir: dir ?? ".", activate: !values["no-activate"] },
      };
    default:
      throw new CliError(`Name an app command: ${WHAT}. See parley --help.`);
  }
}

/** An option that is ignored looks as if it had worked. */
function assertKnown(what: string | undefined, values: Values): void {
  const foreign = Object.entries(OPTIONS_OF).find(
    ([option, command]) => values[option as keyof Values] !== undefined && command !== what,
  );
  if (foreign)
    throw new CliError(`parley app ${what ?? ""} has no option --${foreign[0]}. See parley --help.`);
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEV_PORT;
  const port = Number(text);
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CliError(`--port needs a number up to 65535, not ${JSON.stringify(text)}.`);
}
