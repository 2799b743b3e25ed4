import {
  type EventName,
  type EventPayload,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { newId } from "@parley/shared/ids.ts";
import type { NewDeliveries, Receiver } from "./delivery-store.ts";
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

/** Builds the deliveries to the organization's endpoints that want the event; writes none. */
export async function deliveriesOf<E extends EventName>(
  raised: Raised<E>,
  endpoints: readonly StoredEndpoint[],
): Promise<NewDeliveries[]> {
  const { orgId, event, at, payload: payloadFor } = raised;
  // Serialized once per distinct payload, which may be megabytes.
  const receivers = new Map<EventPayload<E>, Receiver[]>();
  for (const endpoint of endpoints) {
    if (!wants(endpoint, raised)) continue;
    const made = payloadFor(endpoint);
    const payload = made instanceof Promise ? await made : made;
    const receiver = { id: newId("dlv"), endpointId: endpoint.id };
    const alike = receivers.get(payload);
    if (alike) alike.push(receiver);
    else receivers.set(payload, [receiver]);
  }
  return [...receivers].map(([payload, to]) => ({
    org_id: orgId,
    event,
    session_id: "sessionId" in payload ? payload.sessionId : null,
    body: JSON.stringify(payload),
    origin: "event",
    at,
    to,
  }));
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
