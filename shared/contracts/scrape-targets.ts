import { z } from "zod";

/**
 * A process whose metrics Prometheus reads, as it announces itself on the bus. A process that ends takes itself off the
 * list; one that dies stays on it for `SCRAPE_TTL_MS`, so that its absence is noticed (`ProcessDown`).
 */
export const SCRAPE_KEY_PREFIX = "scrape:";
export const SCRAPE_TTL_MS = 600_000;
export const SCRAPE_HEARTBEAT_MS = 30_000;

export const scrapeTargetSchema = z.object({
  job: z.enum(["gateway", "control-api"]),
  /** `host:port` at which the other machines of the installation reach this very process. */
  address: z.string(),
});
export type ScrapeTarget = z.infer<typeof scrapeTargetSchema>;

/** A process that is started again at the same address takes the place of the one before. */
export const scrapeKey = ({ job, address }: ScrapeTarget): string => `${SCRAPE_KEY_PREFIX}${job}:${address}`;
