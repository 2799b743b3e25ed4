import { ChoiceFilter } from "./choice-filter.tsx";
import { RAISED } from "./raised-events.ts";

interface EventFilterProps {
  readonly value: string;
  readonly onChoose: (event: string) => void;
}

/** Narrows deliveries to one event. The catalog of events is most of a page's weight: it comes behind it. */
export function EventFilter(props: EventFilterProps) {
  return <ChoiceFilter label="Event" options={RAISED.map((name) => [name, name])} {...props} />;
}
