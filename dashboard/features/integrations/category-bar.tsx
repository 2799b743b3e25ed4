import { Field } from "../../ui/field.tsx";

interface CategoryBarProps {
  readonly search: {
    readonly label: string;
    readonly text: string;
    readonly onSearch: (text: string) => void;
  };
  /** Categories of all entries, in any order. */
  readonly categories: readonly string[];
  /** Categories of each entry that the search finds. */
  readonly found: readonly (readonly string[])[];
  /** Empty: all. */
  readonly chosen: string;
  readonly onChoose: (category: string) => void;
}

/** Filters a catalog by search text and category. */
export function CategoryBar({ search, categories, found, chosen, onChoose }: CategoryBarProps) {
  const names = [...new Set(categories)].sort();
  return (
    <div className="category-bar">
      <Field
        label={search.label}
        name="search"
        type="search"
        maxLength={100}
        autoComplete="off"
        value={search.text}
        onChange={(event) => search.onSearch(event.currentTarget.value)}
      />
      <fieldset className="category-choice">
        <legend className="only-heard">Category</legend>
        {["", ...names].map((name) => {
          const count = name === "" ? found.length : found.filter((of) => of.includes(name)).length;
          return (
            <button
              key={name}
              type="button"
              className="category"
              aria-pressed={name === chosen}
              onClick={() => onChoose(name)}
            >
              {name === "" ? "All" : name}
              <span className="category-count">{count}</span>
            </button>
          );
        })}
      </fieldset>
    </div>
  );
}
