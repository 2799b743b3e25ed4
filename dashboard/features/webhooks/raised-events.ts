import { EVENT_NAMES, type EventName, isRaised } from "@parley/shared/contracts/event-catalog/catalog.ts";

/** What can be chosen: the events that this version raises. */
export const RAISED: readonly EventName[] = EVENT_NAMES.filter(isRaised);
