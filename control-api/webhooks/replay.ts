import type { Clock } from "@parley/shared/clock.ts";
import { EVENT_CATALOG, type EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { copyDeliveries, findReplayable, insertDeliveries, type Which } from "./delivery-store.ts";

/** One request's worth; whoever wants more goes on from the last. */
const MAX_REPLAYED = 1_000;

export interface ReplayDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Deliveries were committed. */
  readonly announce: () => void;
}

/** What is on its way; `nextAfter` is where to go on when there is more. */
export interface Replayed {
  readonly deliveryIds: readonly string[];
  readonly nextAfter: string | null;
}

/**
 * Delivers again what was delivered, or could not be: the same body under a new id, so that a receiver that keeps
 * what it has seen takes it. Throws `AppError` conflict (the endpoint is disabled), not_found (no such delivery).
 */
export async function replay(
  webhook: Webhook,
  which: Which,
  { database, clock, announce }: ReplayDeps,
): Promise<Replayed> {
  assertEnabled(webhook);
  const found = await findReplayable(database, webhook.id, { which, limit: MAX_REPLAYED + 1 });
  if (found.length === 0 && "deliveryId" in which) {
    throw new AppError("not_found", "There is no such delivery of this webhook.");
  }
  const copies = found.slice(0, MAX_REPLAYED).map((from) => ({ from, to: newId("dlv") }));
  await copyDeliveries(database, copies, new Date(clock.wallMs()));
  announce();
  const last = copies.at(-1);
  return {
    deliveryIds: copies.map(({ to }) => to),
    nextAfter: found.length > MAX_REPLAYED && last ? last.from : null,
  };
}

/** Delivers the sample of an event. Throws `AppError` conflict. */
export async function sendTest(
  webhook: Webhook,
  { orgId, event }: { orgId: string; event: EventName },
  { database, clock, announce }: ReplayDeps,
): Promise<Replayed> {
  assertEnabled(webhook);
  const at = new Date(clock.wallMs());
  const body = JSON.stringify({ ...EVENT_CATALOG[event].sample, orgId, occurredAt: at.toISOString() });
  const id = newId("dlv");
  await insertDeliveries(database.db, [
    {
      id,
      endpoint_id: webhook.id,
      org_id: orgId,
      event,
      session_id: null,
      body,
      origin: "test",
      status: "pending",
      created_at: at,
      next_attempt_at: at,
    },
  ]);
  announce();
  return { deliveryIds: [id], nextAfter: null };
}

function assertEnabled({ enabled }: Webhook): void {
  if (enabled) return;
  throw new AppError("conflict", "The webhook is disabled for good; delete it and register it anew.");
}
