import { systemClock } from "./clock.ts";
import { whenOrphaned } from "./orphan.ts";

/**
 * Lets Ctrl-C and SIGTERM end a small program that somebody runs by hand: what it has open is closed, and it exits 0.
 * npx hands a Ctrl-C on that the terminal has sent already, so a second signal changes nothing. When npx itself is ended
 * it ends, too.
 */
export function stopOnSignal(close: () => Promise<unknown>): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`It could not be closed. ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  whenOrphaned(systemClock, stop);
}
