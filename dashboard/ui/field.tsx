import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className"> {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
  /** Why the value was refused. */
  readonly fault?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

interface FrameProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly children: (input: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": boolean | undefined;
  }) => ReactNode;
}

/** A label with its field; help and fault below are read out with it, once where they say the same. */
function FieldFrame({ label, hint, fault, children }: FrameProps) {
  const id = useId();
  const isHinted = Boolean(hint) && hint !== fault;
  const describedBy = [fault && `${id}-fault`, isHinted && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": fault === undefined ? undefined : true,
      })}
      {fault && (
        <p id={`${id}-fault`} className="field-fault" role="alert">
          {fault}
        </p>
      )}
      {isHinted && (
        <p id={`${id}-hint`} className="pf-muted field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A labeled input; its hint is read out with it. */
export function Field({ label, hint, fault, ...input }: FieldProps) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(framed) => <input className="pf-input" {...framed} {...input} />}
    </FieldFrame>
  );
}

/** Text of several lines. */
export function LongField({
  label,
  hint,
  fault,
  ...text
}: Pick<FieldProps, "label" | "name" | "hint" | "fault"> &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className"> & {
    readonly ref?: Ref<HTMLTextAreaElement>;
  }) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(framed) => <textarea className="pf-textarea" {...framed} {...text} />}
    </FieldFrame>
  );
}

/** A password field with a button to reveal it. */
export function PasswordField({ label, hint, fault, ...input }: FieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(framed) => (
        <div className="field-row">
          <input className="pf-input" {...framed} {...input} type={isShown ? "text" : "password"} />
          <button
            type="button"
            className="pf-btn"
            aria-pressed={isShown}
            aria-controls={framed.id}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
            <span className="only-heard"> {label}</span>
          </button>
        </div>
      )}
    </FieldFrame>
  );
}

interface SelectFieldProps extends Omit<ChoiceFieldProps, "children"> {
  readonly options: readonly string[];
}

/** A choice of a few words. */
export function SelectField({ options, ...select }: SelectFieldProps) {
  return (
    <ChoiceField {...select}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </ChoiceField>
  );
}

interface ChoiceFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "className"> {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly ref?: Ref<HTMLSelectElement>;
  /** The options, grouped where there are many. */
  readonly children: ReactNode;
}

/** A choice whose options carry more than their value. */
export function ChoiceField({ label, hint, fault, children, ...select }: ChoiceFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(framed) => (
        <select className="pf-select" {...framed} {...select}>
          {children}
        </select>
      )}
    </FieldFrame>
  );
}

interface CheckFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type" | "className"> {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly fault?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A checkbox; its hint and fault are read out with it. */
export function CheckField({ label, hint, fault, ...input }: CheckFieldProps) {
  const id = useId();
  const describedBy = [fault && `${id}-fault`, hint && id].filter(Boolean).join(" ");
  const box = (
    <label className="check">
      <input
        type="checkbox"
        aria-describedby={describedBy === "" ? undefined : describedBy}
        aria-invalid={fault === undefined ? undefined : true}
        {...input}
      />
      <span>{label}</span>
    </label>
  );
  if (!hint && !fault) return box;
  return (
    <div className="field">
      {box}
      {fault && (
        <p id={`${id}-fault`} className="field-fault" role="alert">
          {fault}
        </p>
      )}
      {hint && (
        <p id={id} className="pf-muted field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
