import { readLags } from "@parley/control-api/subscriptions/store.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { expect } from "vitest";
import type { Installation } from "./installation.ts";

/** What an event projector had taken and not acknowledged is claimed after 10 s; the rest is patience. */
const CAUGHT_UP_WITHIN_MS = 60_000;

/** Waits until every event is written down: a call's end may be, while something before it is not yet. */
export async function untilCaughtUp(parley: Installation): Promise<void> {
  const log = createLogger({ level: "silent", format: "json", name: "drill" });
  const bus = await connectRedisBus({ url: parley.redis.url, log });
  const backlog = (): Promise<number> => bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP);
  await expect.poll(backlog, { timeout: CAUGHT_UP_WITHIN_MS, interval: 100 }).toBe(0);
  await bus.close();
}

/**
 * Waits until webhooks were raised for every recorded event. A process that was killed may have held their cursor: the
 * others notice within seconds.
 */
export async function untilWebhooksRaised(parley: Installation): Promise<void> {
  const lag = async (): Promise<number | undefined> => (await readLags(parley.database)).get("webhooks");
  await expect.poll(lag, { timeout: CAUGHT_UP_WITHIN_MS, interval: 100 }).toBe(0);
}
