import type { z } from "zod";
import { ORG_EVENTS } from "./org-events.ts";
import { SESSION_EVENTS } from "./session-events.ts";

/**
 * Every webhook event: the single source of payloads, samples, validation, the OpenAPI document, and
 * docs/webhooks.md.
 */
export const EVENT_CATALOG = { ...SESSION_EVENTS, ...ORG_EVENTS };

export type EventName = keyof typeof EVENT_CATALOG;
export type EventPayload<E extends EventName = EventName> = z.infer<(typeof EVENT_CATALOG)[E]["schema"]>;

export const EVENT_NAMES = Object.keys(EVENT_CATALOG) as readonly EventName[];

/** Events that this version raises; the others can be subscribed to ahead of the features that will raise them. */
const RAISED_EVENTS = [
  "call.started",
  "call.ended",
  "call.machine_detected",
  "call.analyzed",
  "call.dtmf",
  "transcript.ready",
  "tool.invoked",
  "recording.ready",
  "whatsapp.message.received",
  "whatsapp.message.status",
  "whatsapp.account.health",
  "billing.invoice_issued",
  "billing.payment_overdue",
  "billing.account_suspended",
  "billing.number_renewal_due",
  "billing.number_renewed",
  "billing.number_renewal_failed",
  "billing.number_release_pending",
  "billing.number_released_nonpayment",
] as const satisfies readonly EventName[];

export function isRaised(name: EventName): boolean {
  return RAISED_EVENTS.some((raised) => raised === name);
}

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENT_CATALOG, name);
}

/** Session events may be restricted to an agent; organization events do not reach endpoints restricted this way. */
export function isSessionEvent(name: EventName): boolean {
  return Object.hasOwn(SESSION_EVENTS, name);
}
