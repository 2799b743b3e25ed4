import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CliError } from "./cli-error.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface ListenOptions {
  /** Where deliveries are posted to; without it they are only shown. */
  readonly forward: URL | undefined;
  readonly events: readonly string[] | undefined;
  readonly agentId: string | undefined;
  readonly includeRecording: boolean;
  readonly includeTranscript: boolean;
  /** Address of Parley, no slash at its end. */
  readonly api: string;
  readonly key: string;
  readonly printBody: boolean;
  readonly json: boolean;
}

const DEFAULT_API = "http://localhost:8080";
const FLAGS = {
  forward: { type: "string" },
  events: { type: "string" },
  agent: { type: "string" },
  "include-recording": { type: "boolean", default: false },
  "include-transcript": { type: "boolean", default: false },
  api: { type: "string" },
  key: { type: "string" },
  "print-body": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Reads the command line; "help" when that was asked for. Throws `CliError`. */
export function readOptions(args: readonly string[], env: Env): ListenOptions | "help" {
  const { values, positionals } = parse(args);
  const [command, ...more] = positionals;
  if (values.help || command === "help") return "help";
  if (command === undefined) throw new CliError("Say what to do: parley listen. See parley --help.");
  if (command !== "listen") {
    throw new CliError(`There is no command ${JSON.stringify(command)}; there is listen. See parley --help.`);
  }
  if (more.length > 0) {
    throw new CliError(`What is ${JSON.stringify(more[0])} for? Addresses go after --forward.`);
  }
  return {
    ...apiOf(values, env),
    forward: values.forward === undefined ? undefined : urlOf("--forward", values.forward),
    events: values.events === undefined ? undefined : namesOf(values.events),
    agentId: values.agent,
    includeRecording: values["include-recording"],
    includeTranscript: values["include-transcript"],
    printBody: values["print-body"],
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  } catch (error) {
    // Node's first sentence names the option; what follows is about its own syntax.
    const [what] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new CliError(`${what?.replace(/\.$/, "")}. See parley --help.`);
  }
}

function apiOf(given: { api?: string; key?: string }, env: Env): { api: string; key: string } {
  const demo = readDemo(env);
  const named = given.api ?? (env.PARLEY_URL || undefined);
  const api = urlOf(given.api === undefined ? "PARLEY_URL" : "--api", named ?? demo?.baseUrl ?? DEFAULT_API);
  const base = api.href.replace(/\/+$/, "");
  // The demo's key is for the demo: it is not sent to an address somebody named.
  const demoKey = named === undefined || base === demo?.baseUrl ? demo?.apiKey : undefined;
  const key = given.key ?? (env.PARLEY_API_KEY || demoKey);
  if (key === undefined || key === "") {
    throw new CliError(
      "There is no API key: set PARLEY_API_KEY to one with role owner, admin or developer (Settings, API keys).",
    );
  }
  if (!/^[!-~]+$/.test(key)) throw new CliError("The API key has characters in it that no key has.");
  return { api: base, key };
}

function urlOf(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new CliError(
    `${name} needs an address such as http://localhost:3000/hook, not ${JSON.stringify(text)}.`,
  );
}

function namesOf(text: string): string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new CliError("--events needs names, such as call.started,call.ended.");
  return names;
}

/** What `npm start` left for scripts and people. */
function readDemo(env: Env): { baseUrl: string; apiKey: string } | undefined {
  try {
    const { baseUrl, apiKey } = JSON.parse(readFileSync(join(env.DATA_DIR || "data", "demo.json"), "utf8"));
    return typeof baseUrl === "string" && typeof apiKey === "string" ? { baseUrl, apiKey } : undefined;
  } catch {
    return undefined;
  }
}
