import { systemClock } from "./clock.ts";
import { whenOrphaned } from "./orphan.ts";

/**
 * Lets Ctrl-C and SIGTERM end a small program run by hand: closes what it has open, then exits 0. npx forwards a
 * Ctrl-C that the terminal has already sent, so a second signal changes nothing. The program also ends when npx does.
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
