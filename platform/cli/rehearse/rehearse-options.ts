import { CliError } from "../cli-error.ts";
import { addressOf, type Env, type Person, personOf } from "../connection.ts";

export interface RehearseOptions {
  readonly api: string;
  readonly person: Person;
  /** Undefined: the only one that the person is in. */
  readonly orgId: string | undefined;
  readonly agentId: string;
  /** Each has scenarios. */
  readonly files: readonly string[];
  /** Where the report for CI is written. */
  readonly junit: string | undefined;
  readonly json: boolean;
}

interface Values {
  readonly api?: string | undefined;
  readonly org?: string | undefined;
  readonly junit?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Throws `CliError`. */
export function rehearseOptionsOf(
  values: Values,
  [agentId, ...files]: readonly string[],
  env: Env,
): RehearseOptions {
  if (agentId === undefined || files.length === 0) {
    throw new CliError("Say whom and what: parley rehearse agt_… scenarios.json, for example.");
  }
  return {
    api: addressOf(values, env),
    person: personOf(values, env),
    orgId: values.org ?? (env.PARLEY_ORG || undefined),
    agentId,
    files,
    junit: values.junit,
    json: values.json ?? false,
  };
}
