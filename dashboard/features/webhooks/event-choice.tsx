import {
  EVENT_CATALOG,
  EVENT_NAMES,
  type EventName,
  isRaised,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { RAISED } from "./raised-events.ts";

const COMING = EVENT_NAMES.filter((event) => !isRaised(event));

/** Chooses every event, or some of the catalog; `events` is the initial choice. Read it with `chosenEvents`. */
export function EventChoice({ events }: { readonly events: readonly string[] }) {
  const [isAll, setAll] = useState(events.includes("*"));
  return (
    <fieldset className="check-group">
      <legend>Events</legend>
      <label className="check">
        <input type="radio" name="which" value="all" checked={isAll} onChange={() => setAll(true)} />
        <span>All events, including ones added in later versions</span>
      </label>
      <label className="check">
        <input type="radio" name="which" value="some" checked={!isAll} onChange={() => setAll(false)} />
        <span>Selected events</span>
      </label>
      {!isAll && <Catalog events={events} />}
    </fieldset>
  );
}

function Catalog({ events }: { readonly events: readonly string[] }) {
  const list = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={list} className="event-list" aria-label="Events">
      {RAISED.map((event) => (
        <EventBox key={event} event={event} isChosen={events.includes(event)} />
      ))}
      <details>
        <summary>Coming later</summary>
        <div className="check-group">
          {COMING.map((event) => (
            <EventBox key={event} event={event} isChosen={events.includes(event)} />
          ))}
        </div>
      </details>
    </section>
  );
}

function EventBox({ event, isChosen }: { readonly event: EventName; readonly isChosen: boolean }) {
  return (
    <label className="check">
      <input type="checkbox" name="events" value={event} defaultChecked={isChosen} />
      <span>
        <code>{event}</code>
        <span className="pf-muted"> {EVENT_CATALOG[event].summary}</span>
      </span>
    </label>
  );
}

/** The chosen events; throws `ApiError` when some are wanted but none is chosen. */
export function chosenEvents(fields: FormData): string[] {
  if (fields.get("which") !== "some") return ["*"];
  const events = fields.getAll("events").map(String);
  if (events.length === 0) throw new ApiError(400, { error: "Select at least one event." });
  return events;
}
