import { useState } from "react";
import { useSearchParams } from "../use-search-params.ts";

/** A named set of filters. */
export interface View {
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

interface ViewsProps {
  /** Name for this kind of list, under which the browser stores views. */
  readonly list: string;
  /** Built-in views; the one without filters comes first. */
  readonly presets: readonly View[];
}

/** Named sets of filters: built-in ones, and those saved in this browser. */
export function Views({ list, presets }: ViewsProps) {
  const [params, setParams] = useSearchParams();
  const [saved, setSaved] = useState(() => savedViews(list));
  const [isNaming, setNaming] = useState(false);
  const now = filtersIn(params);
  const keep = (views: readonly View[]): void => {
    localStorage.setItem(keyOf(list), JSON.stringify(views));
    setSaved(views);
  };
  const all = [...presets, ...saved];
  const shown = all.find(({ filters }) => textOf(filters) === textOf(now));
  return (
    <fieldset className="views">
      <legend className="only-heard">Views</legend>
      {all.map((view) => (
        <button
          key={view.name}
          type="button"
          aria-pressed={view === shown}
          onClick={() => setParams(new URLSearchParams(view.filters))}
        >
          {view.name}
        </button>
      ))}
      {shown && saved.includes(shown) && (
        <button type="button" className="views-do" onClick={() => keep(saved.filter((one) => one !== shown))}>
          Delete view
        </button>
      )}
      {!shown && !isNaming && (
        <button type="button" className="views-do" onClick={() => setNaming(true)}>
          Save view
        </button>
      )}
      {!shown && isNaming && (
        <NameForm
          taken={all.map(({ name }) => name)}
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep([...saved, { name, filters: now }]);
            setNaming(false);
          }}
        />
      )}
    </fieldset>
  );
}

interface NameFormProps {
  readonly taken: readonly string[];
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function NameForm({ taken, onName, onClose }: NameFormProps) {
  return (
    <form
      className="row views-name"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem("name");
        if (!(field instanceof HTMLInputElement)) return;
        const name = field.value.trim();
        field.setCustomValidity(taken.includes(name) ? "There is already a view with this name." : "");
        if (name !== "" && field.reportValidity()) onName(name);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <input
        ref={(input) => input?.focus()}
        className="pf-input"
        name="name"
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={40}
        required
        onInput={(event) => event.currentTarget.setCustomValidity("")}
      />
      <button type="submit" className="pf-btn">
        Save
      </button>
    </form>
  );
}

const keyOf = (list: string): string => `parley-views-${list}`;

function savedViews(list: string): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    // Written by another version, or edited by hand.
    return [];
  }
}

function isView(value: unknown): value is View {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "filters" in value &&
    typeof value.filters === "object" &&
    value.filters !== null &&
    Object.values(value.filters).every((filter) => typeof filter === "string")
  );
}

/** Parameters that filter the list: neither its page nor its order. */
function filtersIn(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...params].filter(([name]) => name !== "before" && name !== "sort"));
}

function textOf(filters: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(filters).toSorted(([one], [other]) => one.localeCompare(other)));
}
