import { ApiError, ListenerApi } from "./api-client.ts";
import { CliError } from "./cli-error.ts";
import { Listening } from "./listen.ts";
import { type Env, readOptions } from "./options.ts";
import { createOutput, type Stream } from "./output.ts";
import { USAGE } from "./usage.ts";

const UNAUTHORIZED = 401;

export interface Terminal {
  readonly env: Env;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
  readonly out: Stream;
  readonly err: Stream;
}

/** Runs a command; gives the exit code: 0 when it was ended, 2 for what the one who typed it can change. */
export async function run(args: readonly string[], { env, signal, out, err }: Terminal): Promise<number> {
  try {
    const options = readOptions(args, env);
    if (options === "help") {
      out.write(USAGE);
      return 0;
    }
    const output = createOutput(options, { out, err, env });
    const api = new ListenerApi(options);
    await new Listening(options, { api, output, signal }).run().catch((error: unknown) => {
      throw error instanceof ApiError ? explained(error, options.api) : error;
    });
    return 0;
  } catch (error) {
    if (error instanceof CliError) {
      err.write(`${error.message}\n`);
      return 2;
    }
    err.write(`parley failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}

function explained({ message, status }: ApiError, api: string): CliError {
  if (status === undefined) {
    return new CliError(`${message} Is Parley running, and is --api (or PARLEY_URL) its address?`);
  }
  const hint = status === UNAUTHORIZED ? " Set PARLEY_API_KEY to a key of this Parley." : "";
  return new CliError(`${api} refused: ${message}${hint}`);
}
