import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface PiiCellProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className"> {
  /** Class of the cell. */
  readonly className: string;
  readonly label: ReactNode;
  /** Why the value was refused. */
  readonly fault: string | undefined;
}

/** An input in a row of the policy, with what is wrong with it below. */
export function PiiCell({ className, label, fault, ...input }: PiiCellProps) {
  const id = useId();
  return (
    <div>
      <label className={className}>
        <span>{label}</span>
        <input
          className="pf-input"
          autoComplete="off"
          aria-invalid={fault === undefined ? undefined : true}
          aria-describedby={fault === undefined ? undefined : id}
          {...input}
        />
      </label>
      {fault && (
        <p id={id} className="field-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
