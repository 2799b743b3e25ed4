import type { Clock } from "@parley/shared/clock.ts";
import { EVENT_CATALOG, type EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { findBodies, insertDeliveries } from "./delivery-store.ts";

/** One request's worth; whoever wants more goes on from the last. */
const MAX_REPLAYED = 1_000;

export interface ReplayDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Deliveries were committed. */
  readonly announce: () => void;
}

/** Which deliveries of an endpoint: one, or those that were raised since. */
export type Which = { readonly deliveryId: string } | { readonly since: Date };

/**
 * Delivers again what was delivered, or could not be: the same body under a new id, so that a receiver that keeps
 * what it has seen takes it. Throws `AppError` conflict (the endpoint is disabled), not_found (no such delivery).
 */
export async function replay(
  webhook: Webhook,
  { orgId, which }: { orgId: string; which: Which },
  deps: ReplayDeps,
): Promise<string[]> {
  assertEnabled(webhook);
  const bodies = await findBodies(deps.database, webhook.id, { ...which, limit: MAX_REPLAYED });
  if (bodies.length === 0 && "deliveryId" in which) {
    throw new AppError("not_found", "There is no such delivery of this webhook.");
  }
  return deliver(bodies, { orgId, endpointId: webhook.id }, deps);
}

/** Delivers the sample of an event. Throws `AppError` conflict. */
export async function sendTest(
  webhook: Webhook,
  { orgId, event }: { orgId: string; event: EventName },
  deps: ReplayDeps,
): Promise<string[]> {
  assertEnabled(webhook);
  const occurredAt = new Date(deps.clock.wallMs()).toISOString();
  const body = JSON.stringify({ ...EVENT_CATALOG[event].sample, orgId, occurredAt });
  return deliver([{ event, sessionId: null, body }], { orgId, endpointId: webhook.id }, deps);
}

async function deliver(
  bodies: Awaited<ReturnType<typeof findBodies>>,
  { orgId, endpointId }: { orgId: string; endpointId: string },
  { database, clock, announce }: ReplayDeps,
): Promise<string[]> {
  const at = new Date(clock.wallMs());
  const rows = bodies.map(({ event, sessionId, body }) => ({
    id: newId("dlv"),
    endpoint_id: endpointId,
    org_id: orgId,
    event,
    session_id: sessionId,
    body,
    status: "pending" as const,
    created_at: at,
    next_attempt_at: at,
  }));
  await insertDeliveries(database.db, rows);
  announce();
  return rows.map(({ id }) => id);
}

function assertEnabled({ enabled }: Webhook): void {
  if (enabled) return;
  throw new AppError("conflict", "The webhook is disabled for good; delete it and register it anew.");
}
