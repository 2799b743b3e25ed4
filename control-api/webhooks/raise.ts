import {
  type EventName,
  type EventPayload,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import { insertDeliveries } from "./delivery-store.ts";
import { type StoredEndpoint, selectEnabledEndpoints } from "./endpoint-store.ts";

export interface Raised<E extends EventName> {
  readonly orgId: string;
  readonly event: E;
  /** Of session events: endpoints that are restricted to another agent are passed over. */
  readonly agentId?: string | null;
  readonly at: Date;
  /** The payload for an endpoint; they differ by what it asked to be included. */
  readonly payload: (endpoint: StoredEndpoint) => EventPayload<E> | Promise<EventPayload<E>>;
}

/**
 * Writes a delivery for every endpoint that wants the event, in the transaction of what the event tells of: either
 * both happened or neither. `known`: the organization's enabled endpoints, where they were read already. Gives how
 * many.
 */
export async function raiseEvent<E extends EventName>(
  trx: Kysely<Tables>,
  raised: Raised<E>,
  known?: readonly StoredEndpoint[],
): Promise<number> {
  const endpoints = known ?? (await selectEnabledEndpoints(trx, raised.orgId, raised.at));
  const wanting = endpoints.filter((endpoint) => wants(endpoint, raised));
  // Written out once for all who get the same: it may have megabytes.
  const written = new Map<object, string>();
  const rows = await Promise.all(
    wanting.map(async (endpoint) => {
      const payload = await raised.payload(endpoint);
      return {
        id: newId("dlv"),
        endpoint_id: endpoint.id,
        org_id: raised.orgId,
        event: raised.event,
        session_id: "sessionId" in payload ? payload.sessionId : null,
        body: writtenOnce(payload, written),
        status: "pending" as const,
        created_at: raised.at,
        next_attempt_at: raised.at,
      };
    }),
  );
  await insertDeliveries(trx, rows);
  return rows.length;
}

function writtenOnce(payload: object, written: Map<object, string>): string {
  const known = written.get(payload);
  if (known !== undefined) return known;
  const body = JSON.stringify(payload);
  written.set(payload, body);
  return body;
}

function wants<E extends EventName>(endpoint: StoredEndpoint, { event, agentId }: Raised<E>): boolean {
  const isSubscribed = endpoint.events.includes("*") || endpoint.events.includes(event);
  if (endpoint.agent_id === null) return isSubscribed;
  return isSubscribed && isSessionEvent(event) && endpoint.agent_id === agentId;
}
