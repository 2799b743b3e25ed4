import type { Clock } from "./clock.ts";

const LOOK_EVERY_MS = 500;

/**
 * Calls `fn` once the process that started this one is gone, if that was npm or npx: they end a shell on SIGTERM, which
 * does not tell what runs in it. Elsewhere (a service manager, a container) nothing is watched.
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
