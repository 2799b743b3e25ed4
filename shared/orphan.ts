import type { Clock } from "./clock.ts";

const LOOK_EVERY_MS = 500;

/**
 * Calls `fn` once the parent process is gone, if that was npm or npx: on SIGTERM they end a shell, which does not
 * pass the signal to its child. Under any other parent (a service manager, a container) nothing is watched.
 */
export function whenOrphaned(clock: Pick<Clock, "every">, fn: () => void): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const stop = clock.every(LOOK_EVERY_MS, () => {
    if (process.ppid === parent) return;
    stop();
    fn();
  });
}
