import { EVENT_NAMES, type EventName, isRaised } from "@parley/shared/contracts/event-catalog/catalog.ts";

/** Selectable events: those this version raises. */
export const RAISED: readonly EventName[] = EVENT_NAMES.filter(isRaised);
