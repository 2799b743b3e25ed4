import {
  EVENT_CATALOG,
  EVENT_NAMES,
  type EventName,
  isRaised,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { type ChangeEvent, type ComponentProps, useId, useState } from "react";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { RAISED } from "./raised-events.ts";

const COMING = EVENT_NAMES.filter((event) => !isRaised(event));

type FieldProps = ComponentProps<"input"> & { readonly label: string; readonly fault: string | undefined };

interface EventChoiceProps {
  /** `all` or `some`. */
  readonly which: FieldProps;
  /** Some of the catalog. */
  readonly events: FieldProps;
  /** Whether `which` begins with `all`. */
  readonly isAllFirst: boolean;
}

/** Chooses every event, or some of the catalog. */
export function EventChoice({ which, events, isAllFirst }: EventChoiceProps) {
  const [isAll, setAll] = useState(isAllFirst);
  const { fault, label: legend, ...each } = events;
  const { fault: _fault, label: _label, ...radio } = which;
  const id = useId();
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    setAll(event.target.value === "all");
    radio.onChange?.(event);
  };
  return (
    <fieldset className="check-group" aria-describedby={fault && id}>
      <legend>{legend}</legend>
      <label className="check">
        <input {...radio} type="radio" value="all" onChange={choose} />
        <span>All events, including ones added in later versions</span>
      </label>
      <label className="check">
        <input {...radio} type="radio" value="some" onChange={choose} />
        <span>Selected events</span>
      </label>
      {!isAll && <Catalog field={each} isWrong={fault !== undefined} />}
      {!isAll && fault && (
        <p id={id} className="field-fault" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

interface CatalogProps {
  readonly field: ComponentProps<"input">;
  readonly isWrong: boolean;
}

function Catalog({ field, isWrong }: CatalogProps) {
  const list = useKeyboardScroll<HTMLElement>();
  const box = { ...field, "aria-invalid": isWrong || undefined };
  return (
    <section ref={list} className="event-list" aria-label="Events">
      {RAISED.map((event) => (
        <EventBox key={event} event={event} field={box} />
      ))}
      <details>
        <summary>Coming later</summary>
        <div className="check-group">
          {COMING.map((event) => (
            <EventBox key={event} event={event} field={box} />
          ))}
        </div>
      </details>
    </section>
  );
}

interface EventBoxProps {
  readonly event: EventName;
  readonly field: ComponentProps<"input">;
}

function EventBox({ event, field }: EventBoxProps) {
  return (
    <label className="check">
      <input {...field} type="checkbox" value={event} />
      <span>
        <code>{event}</code>
        <span className="pf-muted"> {EVENT_CATALOG[event].summary}</span>
      </span>
    </label>
  );
}
