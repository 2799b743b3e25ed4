import {
  EVENT_CATALOG,
  EVENT_NAMES,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";

const GROUPS = [
  { name: "Of a session", events: EVENT_NAMES.filter(isSessionEvent) },
  { name: "Of the organization", events: EVENT_NAMES.filter((event) => !isSessionEvent(event)) },
];

/** Every event, or some of the catalog; `events` is what is chosen at first. Read it with `chosenEvents`. */
export function EventChoice({ events }: { readonly events: readonly string[] }) {
  const [isAll, setAll] = useState(events.includes("*"));
  return (
    <fieldset className="check-group">
      <legend>Events</legend>
      <label className="check">
        <input type="radio" name="which" value="all" checked={isAll} onChange={() => setAll(true)} />
        <span>Every event, also those that come with later versions</span>
      </label>
      <label className="check">
        <input type="radio" name="which" value="some" checked={!isAll} onChange={() => setAll(false)} />
        <span>Only these</span>
      </label>
      {!isAll && <Catalog events={events} />}
    </fieldset>
  );
}

function Catalog({ events }: { readonly events: readonly string[] }) {
  const list = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={list} className="event-list" aria-label="The events">
      {GROUPS.map((group) => (
        <fieldset key={group.name} className="check-group">
          <legend>{group.name}</legend>
          {group.events.map((event) => (
            <label key={event} className="check">
              <input type="checkbox" name="events" value={event} defaultChecked={events.includes(event)} />
              <span>
                <code>{event}</code>
                <span className="pf-muted"> {EVENT_CATALOG[event].summary}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  );
}

/** What was chosen; throws `ApiError` when only some are wanted and none is. */
export function chosenEvents(fields: FormData): string[] {
  if (fields.get("which") !== "some") return ["*"];
  const events = fields.getAll("events").map(String);
  if (events.length === 0) throw new ApiError(400, { error: "Choose at least one event." });
  return events;
}
