import { parseArgs } from "node:util";
import type { Connection } from "./api-call.ts";
import { type AppCommand, appCommandOf } from "./app/app-command.ts";
import { CliError } from "./cli-error.ts";
import { addressOf, connectionOf, type Env, urlOf } from "./connection.ts";
import { type RehearseOptions, rehearseOptionsOf } from "./rehearse/rehearse-options.ts";
import { SIGNING_SECRET } from "./secret-file.ts";

export interface ListenOptions extends Connection {
  /** Where deliveries are posted; without it they are only shown. */
  readonly forward: URL | undefined;
  readonly events: readonly string[] | undefined;
  readonly agentId: string | undefined;
  readonly includeRecording: boolean;
  readonly includeTranscript: boolean;
  /** Signs deliveries; defaults to this machine's secret. */
  readonly secret: string | undefined;
  readonly printBody: boolean;
  readonly json: boolean;
}

export interface TriggerOptions extends Connection {
  readonly event: string;
  /** Sample values to replace, by field path. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly endpointId: string | undefined;
  readonly json: boolean;
}

/** A parsed command line. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "listen"; readonly options: ListenOptions }
  | { readonly kind: "print-secret"; readonly api: string; readonly secret: string | undefined }
  | { readonly kind: "trigger"; readonly options: TriggerOptions }
  | { readonly kind: "rehearse"; readonly options: RehearseOptions }
  | AppCommand;

const FLAGS = {
  forward: { type: "string" },
  events: { type: "string" },
  agent: { type: "string" },
  "include-recording": { type: "boolean" },
  "include-transcript": { type: "boolean" },
  secret: { type: "string" },
  "print-secret": { type: "boolean" },
  "print-body": { type: "boolean" },
  set: { type: "string", multiple: true },
  endpoint: { type: "string" },
  api: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean" },
  junit: { type: "string" },
  speech: { type: "boolean" },
  noise: { type: "string" },
  org: { type: "string" },
  port: { type: "string" },
  "no-activate": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;
type Flag = keyof typeof FLAGS;

const COMMANDS = ["listen", "trigger", "rehearse", "app"] as const;
const COMMON: readonly Flag[] = ["api", "key", "json", "help"];
const FLAGS_OF: Readonly<Record<(typeof COMMANDS)[number], readonly Flag[]>> = {
  listen: [
    "forward",
    "events",
    "agent",
    "include-recording",
    "include-transcript",
    "secret",
    "print-secret",
    "print-body",
  ],
  trigger: ["set", "endpoint"],
  rehearse: ["junit", "org", "speech", "noise"],
  app: ["port", "no-activate"],
};

/** Parses the command line. Throws `CliError`. */
export function readCommand(args: readonly string[], env: Env): Command {
  const { values, positionals } = parse(args);
  const [command, ...more] = positionals;
  if (values.help || command === "help") return { kind: "help" };
  if (command === undefined) {
    throw new CliError(
      "Name a command: parley listen, parley trigger <event>, parley rehearse <agent> or parley app. See parley --help.",
    );
  }
  if (!isCommand(command)) {
    throw new CliError(
      `Unknown command ${JSON.stringify(command)}. Commands: listen, trigger, rehearse and app. See parley --help.`,
    );
  }
  const foreign = Object.keys(values).find(
    (flag) => !COMMON.includes(flag as Flag) && !FLAGS_OF[command].includes(flag as Flag),
  );
  if (foreign !== undefined)
    throw new CliError(`parley ${command} has no option --${foreign}. See parley --help.`);
  switch (command) {
    case "app":
      return appCommandOf(values, more, env);
    case "rehearse":
      return { kind: "rehearse", options: rehearseOptionsOf(values, more, env) };
    case "listen":
      return listenOf(values, more, env);
    case "trigger":
      return triggerOf(values, more, env);
  }
}

function isCommand(text: string): text is (typeof COMMANDS)[number] {
  return (COMMANDS as readonly string[]).includes(text);
}

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  } catch (error) {
    // Node's first sentence names the option; the rest explains Node's own syntax.
    const [what] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new CliError(`${what?.replace(/\.$/, "")}. See parley --help.`);
  }
}

function listenOf(values: Values, more: readonly string[], env: Env): Command {
  if (more.length > 0) {
    throw new CliError(`Unexpected argument ${JSON.stringify(more[0])}. Put addresses after --forward.`);
  }
  const secret = values.secret ?? (env.PARLEY_SIGNING_SECRET || undefined);
  if (secret !== undefined && !SIGNING_SECRET.test(secret)) {
    throw new CliError("A signing secret must be whsec_ followed by 24 to 64 bytes in base64.");
  }
  if (values["print-secret"]) return { kind: "print-secret", api: addressOf(values, env), secret };
  return {
    kind: "listen",
    options: {
      ...connectionOf(values, env),
      forward: values.forward === undefined ? undefined : urlOf("--forward", values.forward),
      events: values.events === undefined ? undefined : namesOf(values.events),
      agentId: values.agent,
      includeRecording: values["include-recording"] ?? false,
      includeTranscript: values["include-transcript"] ?? false,
      secret,
      printBody: values["print-body"] ?? false,
      json: values.json ?? false,
    },
  };
}

function triggerOf(values: Values, [event, ...more]: readonly string[], env: Env): Command {
  if (event === undefined) {
    throw new CliError("Name an event, for example: parley trigger call.ended.");
  }
  if (more.length > 0) {
    throw new CliError(`Name one event. Put values after --set, as in --set ${more[0]}.`);
  }
  return {
    kind: "trigger",
    options: {
      ...connectionOf(values, env),
      event,
      set: Object.fromEntries((values.set ?? []).map(settingOf)),
      endpointId: values.endpoint,
      json: values.json ?? false,
    },
  };
}

function settingOf(text: string): [path: string, value: unknown] {
  const at = text.indexOf("=");
  if (at < 1) {
    throw new CliError(
      `--set needs a field and its value, such as --set endReason=max_duration, not ${text}.`,
    );
  }
  return [text.slice(0, at), jsonOr(text.slice(at + 1))];
}

/** Parses text that JSON would write the same way: 007 and +15550001111 stay text; 7, null and [1] do not. */
function jsonOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}

function namesOf(text: string): string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new CliError("--events needs event names, such as call.started,call.ended.");
  return names;
}
