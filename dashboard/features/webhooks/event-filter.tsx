import { ChoiceFilter } from "./choice-filter.tsx";
import { RAISED } from "./raised-events.ts";

interface EventFilterProps {
  readonly value: string;
  readonly onChoose: (event: string) => void;
}

/** Filters deliveries by event. The event catalog is most of a page's weight, so it loads lazily. */
export function EventFilter(props: EventFilterProps) {
  return <ChoiceFilter label="Event" options={RAISED.map((name) => [name, name])} {...props} />;
}
