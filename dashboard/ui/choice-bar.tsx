interface ChoiceBarProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** Chooses one of a few options, side by side. */
export function ChoiceBar<T extends string>({ label, options, chosen, onChoose }: ChoiceBarProps<T>) {
  return (
    <fieldset className="choice-bar">
      <legend className="only-heard">{label}</legend>
      {options.map(({ value, name }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
