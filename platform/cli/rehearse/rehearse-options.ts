import { CliError } from "../cli-error.ts";
import { addressOf, type Env, type Person, personOf } from "../connection.ts";

export interface RehearseOptions {
  readonly api: string;
  readonly person: Person;
  /** Undefined selects the person's only organization. */
  readonly orgId: string | undefined;
  readonly agentId: string;
  /** Files of scenarios; empty runs the agent's own. */
  readonly files: readonly string[];
  /** Where to write the report for CI. */
  readonly junit: string | undefined;
  readonly json: boolean;
  /** Held as calls through a gateway; undefined: in text. */
  readonly speech: Speech | undefined;
}

export interface Speech {
  readonly noise: { readonly sound: string; readonly volumeDb?: number } | undefined;
}

const PLACES = ["office", "cafe", "call-center"];

interface Values {
  readonly api?: string | undefined;
  readonly org?: string | undefined;
  readonly junit?: string | undefined;
  readonly json?: boolean | undefined;
  readonly speech?: boolean | undefined;
  readonly noise?: string | undefined;
}

/** Reads the options of `parley rehearse`. Throws `CliError`. */
export function rehearseOptionsOf(
  values: Values,
  [agentId, ...files]: readonly string[],
  env: Env,
): RehearseOptions {
  if (agentId === undefined) {
    throw new CliError(
      "Name an agent: parley rehearse agt_… scenarios.json, or without a file for the agent's own scenarios.",
    );
  }
  return {
    api: addressOf(values, env),
    person: personOf(values, env),
    orgId: values.org ?? (env.PARLEY_ORG || undefined),
    agentId,
    files,
    junit: values.junit,
    json: values.json ?? false,
    speech: speechOf(values),
  };
}

function speechOf({ speech, noise }: Values): Speech | undefined {
  if (noise === undefined) return speech ? { noise } : undefined;
  const [sound = "", volume] = noise.split(":");
  const volumeDb = Number(volume ?? 0);
  if (!PLACES.includes(sound) || !Number.isFinite(volumeDb)) {
    throw new CliError(
      `--noise is ${PLACES.join(", ")}, with a volume in dB if you like (cafe:6), not ${JSON.stringify(noise)}.`,
    );
  }
  return { noise: { sound, ...(volume === undefined ? {} : { volumeDb }) } };
}
