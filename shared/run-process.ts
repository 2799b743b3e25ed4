import { systemClock } from "./clock.ts";
import { ConfigError } from "./config/config.ts";
import { AppError, messageOf } from "./errors.ts";
import type { Logger } from "./log.ts";
import { whenOrphaned } from "./orphan.ts";

/** A started process. */
export interface StartedProcess {
  readonly log: Logger;
  /** Shuts the process down gracefully; called once, by SIGTERM or SIGINT. */
  stop(): Promise<void>;
}

/**
 * Runs a server process: starts it, stops it gracefully on SIGTERM or SIGINT (a second signal ends it immediately)
 * and when the npm that started it is gone, and exits 1 with one readable line when it cannot start. A signal that comes
 * while it starts stops it as soon as it has: others may see it ready before `start` returns.
 */
export async function runProcess(
  name: string,
  start: (env: Readonly<Record<string, string | undefined>>) => Promise<StartedProcess>,
): Promise<void> {
  const asked = askedToEnd();
  try {
    const { log, stop } = await start(process.env);
    void asked.then((why) => {
      log.info({ event: "stopping", ...why }, "stopping");
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ event: "stop_failed", err: messageOf(error) }, "failed to stop the process in order");
          process.exit(1);
        },
      );
    });
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof AppError;
    const what = isExpected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
    process.stderr.write(`${name} could not start. ${what}\n`);
    process.exit(1);
  }
}

/** Resolves with why the process is to end. */
function askedToEnd(): Promise<{ readonly signal: NodeJS.Signals } | { readonly reason: string }> {
  return new Promise((resolve) => {
    let isAsked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isAsked) process.exit(1);
      isAsked = true;
      resolve({ signal });
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
    whenOrphaned(systemClock, () => {
      isAsked = true;
      resolve({ reason: "npm was ended" });
    });
  });
}
