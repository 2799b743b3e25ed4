import type { Keys } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import {
  SCRAPE_HEARTBEAT_MS,
  SCRAPE_KEY_PREFIX,
  SCRAPE_TTL_MS,
  type ScrapeTarget,
  scrapeKey,
  scrapeTargetSchema,
} from "../contracts/scrape-targets.ts";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";

export interface AnnounceDeps {
  readonly keys: Pick<Keys, "set" | "delete">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps this process on the list of those that Prometheus reads; returns what takes it off. */
export function announceTarget(
  target: ScrapeTarget,
  { keys, clock, log }: AnnounceDeps,
): () => Promise<void> {
  const key = scrapeKey(target);
  let isListed = true;
  const announce = async (): Promise<void> => {
    try {
      await keys.set(key, JSON.stringify(target), SCRAPE_TTL_MS);
      isListed = true;
    } catch (error) {
      if (isListed)
        log.warn(
          { event: "target_not_announced", err: messageOf(error) },
          "failed to announce the process to Prometheus, trying again",
        );
      isListed = false;
    }
  };
  let announcing = announce();
  const stop = clock.every(SCRAPE_HEARTBEAT_MS, () => {
    announcing = announce();
  });
  return async () => {
    stop();
    await announcing;
    // One that stays listed is scraped in vain until it expires.
    await keys.delete(key).catch(() => undefined);
  };
}

/**
 * The processes of the installation, by job and address, without entries that cannot be read. Rejects when the bus is
 * unavailable.
 */
export async function listTargets(keys: Pick<Keys, "list">): Promise<ScrapeTarget[]> {
  const texts = [...(await keys.list(SCRAPE_KEY_PREFIX)).values()];
  return texts
    .flatMap((text) => targetIn(text) ?? [])
    .toSorted((a, b) => scrapeKey(a).localeCompare(scrapeKey(b), "en"));
}

function targetIn(text: string): ScrapeTarget | undefined {
  try {
    return scrapeTargetSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // What one entry has instead must not hide the others.
    return undefined;
  }
}
