import { type InputHTMLAttributes, type ReactNode, useId, useState } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className"> {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
}

/** A labelled input; a hint below it is read with it. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="pf-input" aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      {hint && (
        <p id={`${id}-hint`} className="pf-muted field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A password that can be looked at while it is typed. */
export function PasswordField({ label, hint, ...input }: FieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-row">
        <input
          id={id}
          className="pf-input"
          aria-describedby={hint ? `${id}-hint` : undefined}
          {...input}
          type={isShown ? "text" : "password"}
        />
        <button
          type="button"
          className="pf-btn"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
          <span className="only-heard"> {label}</span>
        </button>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="pf-muted field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly string[];
  readonly defaultValue?: string;
  readonly hint?: string;
}

export function SelectField({ label, options, hint, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="pf-select" aria-describedby={hint ? `${id}-hint` : undefined} {...select}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="pf-muted field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly name: string;
  readonly defaultChecked?: boolean | undefined;
  readonly hint?: string;
}

/** A box to tick; a hint below it is read with it. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  const box = (
    <label className="check">
      <input type="checkbox" aria-describedby={hint ? id : undefined} {...input} />
      <span>{label}</span>
    </label>
  );
  if (!hint) return box;
  return (
    <div className="field">
      {box}
      <p id={id} className="pf-muted field-hint">
        {hint}
      </p>
    </div>
  );
}
