import type { z } from "zod";
import { ORG_EVENTS } from "./org-events.ts";
import { SESSION_EVENTS } from "./session-events.ts";

/**
 * Every webhook event: the one table that payloads, samples, validation and the documentation come from
 * (spec 2, "Catalog").
 */
export const EVENT_CATALOG = { ...SESSION_EVENTS, ...ORG_EVENTS };

export type EventName = keyof typeof EVENT_CATALOG;
export type EventPayload<E extends EventName = EventName> = z.infer<(typeof EVENT_CATALOG)[E]["schema"]>;

export const EVENT_NAMES = Object.keys(EVENT_CATALOG) as readonly EventName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENT_CATALOG, name);
}

/** Events of a session may be restricted to an agent; those of an organization reach no such endpoint. */
export function isSessionEvent(name: EventName): boolean {
  return Object.hasOwn(SESSION_EVENTS, name);
}
