import type { EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { insertDeliveries } from "./delivery-store.ts";
import { type StoredEndpoint, selectEnabledEndpoints } from "./endpoint-store.ts";
import { wants } from "./raise.ts";
import { assertEnabled, type ReplayDeps, type Replayed } from "./replay.ts";
import { type Overrides, samplePayload } from "./sample-payload.ts";

/** The sample of an event, with some values replaced. */
export interface TestEvent {
  readonly orgId: string;
  readonly event: EventName;
  readonly set?: Overrides | undefined;
}

/** A sample's delivery and its recipient. */
export interface SentTest {
  readonly id: string;
  readonly endpointId: string;
  /** Null for a listener, which has no address. */
  readonly url: string | null;
}

/** Delivers an event's sample to one endpoint, whatever its events. Throws `AppError` conflict, bad_request. */
export async function sendTest(webhook: Webhook, test: TestEvent, deps: ReplayDeps): Promise<Replayed> {
  assertEnabled(webhook);
  const { database, clock, announce } = deps;
  const row = deliveryOf(test, new Date(clock.wallMs()));
  const id = newId("dlv");
  await insertDeliveries(database.db, [{ ...row, to: [{ id, endpointId: webhook.id }] }]);
  announce();
  return { deliveryIds: [id], nextAfter: null };
}

/**
 * Delivers the sample to each endpoint and listener that would receive the event, or to the one named. Throws
 * `AppError` bad_request, not_found (no enabled endpoint has this id).
 */
export async function triggerEvent(
  { endpointId, ...test }: TestEvent & { readonly endpointId?: string | undefined },
  { database, clock, announce }: ReplayDeps,
): Promise<SentTest[]> {
  const at = new Date(clock.wallMs());
  const row = deliveryOf(test, at);
  const agentId = agentOf(row.body);
  const sent = await database.db.transaction().execute(async (trx) => {
    const enabled = await selectEnabledEndpoints(trx, [test.orgId], at);
    const receivers =
      endpointId === undefined
        ? enabled.filter((endpoint) => wants(endpoint, { event: test.event, agentId }))
        : enabled.filter(({ id }) => id === endpointId);
    if (endpointId !== undefined && receivers.length === 0) {
      throw new AppError("not_found", `No enabled webhook of this organization has the id ${endpointId}.`);
    }
    const deliveries = receivers.map((endpoint) => ({ id: newId("dlv"), endpoint }));
    const to = deliveries.map(({ id, endpoint }) => ({ id, endpointId: endpoint.id }));
    await insertDeliveries(trx, [{ ...row, to }]);
    return deliveries.map(({ id, endpoint }) => ({ id, endpointId: endpoint.id, url: urlOf(endpoint) }));
  });
  announce();
  return sent;
}

function deliveryOf({ orgId, event, set }: TestEvent, at: Date) {
  return {
    org_id: orgId,
    event,
    session_id: null,
    body: JSON.stringify(samplePayload(event, { orgId, occurredAt: at.toISOString(), set })),
    origin: "test" as const,
    at,
  };
}

function agentOf(body: string): string | null {
  const { agentId } = JSON.parse(body) as { agentId?: string | null };
  return agentId ?? null;
}

function urlOf({ url, listening_until }: StoredEndpoint): string | null {
  return listening_until === null ? url : null;
}
