import { type ReactNode, useId, useState } from "react";
import { useSearchParams } from "../use-search-params.ts";

/** A list's filters in the page's address; a change returns to the first page. */
function useFilters() {
  const [params, setParams] = useSearchParams();
  const set = (changes: Readonly<Record<string, string>>): void =>
    setParams((now) => {
      const after = new URLSearchParams(now);
      after.delete("before");
      after.delete("offset");
      for (const [name, value] of Object.entries(changes)) {
        if (value === "") after.delete(name);
        else after.set(name, value);
      }
      return after;
    });
  return { value: (name: string): string => params.get(name) ?? "", set };
}

/** Wraps a list's filters. On a phone the first two are shown with those in use, and the others on demand. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <search className="filter-bar" aria-label="Filters" data-whole={isWhole}>
      {children}
      <button
        type="button"
        className="pf-btn filter-more"
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? "Fewer filters" : "More filters"}
      </button>
    </search>
  );
}

interface FilterProps {
  readonly label: string;
  /** Parameter name in the page's address. */
  readonly name: string;
}

interface SelectFilterProps extends FilterProps {
  readonly options: readonly (readonly [value: string, name: string])[];
}

/** Filters a list by one of several values. */
export function SelectFilter({ label, name, options }: SelectFilterProps) {
  const id = useId();
  const { value, set } = useFilters();
  const chosen = value(name);
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="pf-select"
        value={chosen}
        data-set={chosen !== ""}
        onChange={(event) => set({ [name]: event.target.value })}
      >
        <option value="">Any</option>
        {chosen !== "" && !options.some(([each]) => each === chosen) && (
          <option value={chosen}>{chosen}</option>
        )}
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A filter set by a link: it can only be removed. */
export function GivenFilter({ label, name }: FilterProps) {
  const { set } = useFilters();
  return (
    <label className="check">
      <input type="checkbox" checked onChange={() => set({ [name]: "" })} />
      {label}
    </label>
  );
}

interface TextFilterProps extends FilterProps {
  readonly type?: "search" | "tel" | "date";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
}

/** Filters a list by typed text, applied on Enter or blur. */
export function TextFilter({ label, name, type = "search", ...limits }: TextFilterProps) {
  const id = useId();
  const { value, set } = useFilters();
  const now = value(name);
  const apply = (input: HTMLInputElement): void => {
    const typed = input.value.trim();
    if (typed !== now && input.reportValidity()) set({ [name]: typed });
  };
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        // The key refills the field when the address changes.
        key={now}
        id={id}
        className="pf-input"
        type={type}
        defaultValue={now}
        data-set={now !== ""}
        {...limits}
        onBlur={(event) => apply(event.currentTarget)}
        onChange={type === "date" ? (event) => apply(event.currentTarget) : undefined}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply(event.currentTarget);
        }}
      />
    </div>
  );
}
