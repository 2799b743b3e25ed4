interface ChoiceFilterProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

/** Filters a list by one of several values, or by none. */
export function ChoiceFilter({ label, value, options, onChoose }: ChoiceFilterProps) {
  return (
    <select
      className="pf-select"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">Any {label.toLowerCase()}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}
