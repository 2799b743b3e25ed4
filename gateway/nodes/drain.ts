import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";

/** How long an agent may take to finish its current sentence when its node shuts down. */
const FINISH_SENTENCE_MS = 5_000;

export interface DrainDeps {
  readonly registry: { readonly size: number; whenIdle(): Promise<void>; finishSentences(): void };
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly timeoutMs: number;
}

/**
 * Waits at most `timeoutMs` for the last call to end, then cuts the remaining calls after the agent's sentence; that
 * wait is bounded as well.
 */
export async function drain(deps: DrainDeps): Promise<void> {
  const { registry, log, timeoutMs } = deps;
  log.info({ event: "draining", calls: registry.size }, "draining: no new calls, the live ones may end");
  await untilIdle(deps, timeoutMs);
  const cut = registry.size;
  if (cut > 0) {
    log.warn(
      { event: "drain_timed_out", calls: cut },
      "calls outlive DRAIN_TIMEOUT_MS and are cut after the agent's sentence",
    );
    registry.finishSentences();
    await untilIdle(deps, FINISH_SENTENCE_MS);
  }
  log.info({ event: "drained", cut }, "drained");
}

async function untilIdle({ registry, clock }: DrainDeps, withinMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(withinMs, resolve);
    void registry.whenIdle().then(() => {
      cancel();
      resolve();
    });
  });
}
