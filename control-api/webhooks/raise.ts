import {
  type EventName,
  type EventPayload,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Insertable } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { StoredEndpoint } from "./endpoint-store.ts";

export interface Raised<E extends EventName> {
  readonly orgId: string;
  readonly event: E;
  /** For session events: endpoints restricted to another agent are skipped. */
  readonly agentId?: string | null;
  readonly at: Date;
  /** Payload for an endpoint, which depends on its options. */
  readonly payload: (endpoint: StoredEndpoint) => EventPayload<E> | Promise<EventPayload<E>>;
}

/** Builds a delivery for each of the organization's endpoints that wants the event; writes none. */
export async function deliveriesOf<E extends EventName>(
  raised: Raised<E>,
  endpoints: readonly StoredEndpoint[],
): Promise<Insertable<Tables["webhook_deliveries"]>[]> {
  const wanting = endpoints.filter((endpoint) => wants(endpoint, raised));
  // Serialized once per distinct payload, which may be megabytes.
  const written = new Map<object, string>();
  return Promise.all(
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
}

function writtenOnce(payload: object, written: Map<object, string>): string {
  const known = written.get(payload);
  if (known !== undefined) return known;
  const body = JSON.stringify(payload);
  written.set(payload, body);
  return body;
}

/** Whether an endpoint wants an event; `agentId` is set for session events. */
export function wants(
  endpoint: StoredEndpoint,
  { event, agentId }: Pick<Raised<EventName>, "event" | "agentId">,
): boolean {
  const isSubscribed = endpoint.events.includes("*") || endpoint.events.includes(event);
  if (endpoint.agent_id === null) return isSubscribed;
  return isSubscribed && isSessionEvent(event) && endpoint.agent_id === agentId;
}
