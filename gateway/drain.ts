import type { Clock } from "@parley/shared/clock.ts";

/** Waits until the last call is gone, at most `timeoutMs`. */
export async function drain(deps: {
  registry: { whenIdle(): Promise<void> };
  clock: Clock;
  timeoutMs: number;
}): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = deps.clock.after(deps.timeoutMs, resolve);
    void deps.registry.whenIdle().then(() => {
      cancel();
      resolve();
    });
  });
}
