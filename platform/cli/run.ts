import { ApiError } from "./api-call.ts";
import { ListenerApi } from "./api-client.ts";
import { runAppCommand } from "./app/run-app.ts";
import { CliError } from "./cli-error.ts";
import type { Env } from "./connection.ts";
import { Listening } from "./listen.ts";
import { type ListenOptions, readCommand } from "./options.ts";
import { createOutput, type Stream } from "./output.ts";
import { secretOf } from "./secret-file.ts";
import { trigger } from "./trigger.ts";
import { USAGE } from "./usage.ts";

const UNAUTHORIZED = 401;
const NO_KEY = "Set PARLEY_API_KEY to a key of this Parley.";

export interface Terminal {
  readonly env: Env;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly out: Stream;
  readonly err: Stream;
}

/**
 * Runs a command and returns the exit code: 0 when it finished, 1 when a rehearsal failed, 2 for what the
 * user can fix.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { err } = terminal;
  try {
    return await obey(args, terminal);
  } catch (error) {
    if (error instanceof CliError) {
      err.write(`${error.message}\n`);
      return 2;
    }
    err.write(`parley failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}

/** Returns the exit code. Throws `CliError`. */
async function obey(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, out, err, signal } = terminal;
  const command = readCommand(args, env);
  switch (command.kind) {
    case "help":
      out.write(USAGE);
      return 0;
    case "print-secret": {
      const { secret, problem } = command.secret ? { secret: command.secret } : secretOf(command.api, env);
      if (problem !== undefined) err.write(`${problem}\n`);
      out.write(`${secret}\n`);
      return 0;
    }
    case "listen":
      await explaining(command.options.api, () => listen(command.options, terminal));
      return 0;
    case "trigger":
      await explaining(command.options.api, () => trigger(command.options, { out, signal }));
      return 0;
    case "rehearse":
      return explaining(
        command.options.api,
        async () => (await import("./rehearse/rehearse.ts")).rehearse(command.options, { out, signal }),
        "Give PARLEY_TOKEN an access token of a person, or set PARLEY_EMAIL and PARLEY_PASSWORD instead.",
      );
    case "app-publish":
      await explaining(command.options.api, async () =>
        (await import("./app/publish-app.ts")).publishApp(command.options, { out, signal }),
      );
      return 0;
    default:
      await runAppCommand(command, terminal);
      return 0;
  }
}

async function listen(options: ListenOptions, { env, signal, out, err }: Terminal): Promise<void> {
  const output = createOutput(options, { out, err, env });
  const { secret, problem } = options.secret ? { secret: options.secret } : secretOf(options.api, env);
  if (problem !== undefined) output.notice(problem);
  const api = new ListenerApi(options);
  await new Listening({ ...options, secret }, { api, output, signal }).run();
}

/** Turns Parley's refusal or silence into an error for the user; `unauthorized` says which credential to change. */
async function explaining<T>(api: string, work: () => Promise<T>, unauthorized = NO_KEY): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? explained(error, api, unauthorized) : error;
  }
}

function explained({ message, status }: ApiError, api: string, unauthorized: string): CliError {
  if (status === undefined) {
    return new CliError(`${message} Is Parley running, and is --api (or PARLEY_URL) its address?`);
  }
  const hint = status === UNAUTHORIZED ? ` ${unauthorized}` : "";
  return new CliError(`${api} refused: ${message}${hint}`);
}
