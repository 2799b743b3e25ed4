import { SelectFilter } from "../../ui/table/filters.tsx";
import { RAISED } from "./raised-events.ts";

/** Filters deliveries by event. The event catalog is most of a page's weight, so it loads lazily. */
export function EventFilter() {
  return <SelectFilter label="Event" name="event" options={RAISED.map((name) => [name, name])} />;
}
