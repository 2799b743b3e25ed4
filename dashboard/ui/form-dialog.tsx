import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./messages.tsx";
import { type Submit, useSubmit } from "./use-submit.ts";

interface FormDialogProps {
  readonly title: string;
  /** Text of the submit button. */
  readonly does: string;
  /** Receives the form's fields. If it throws, the dialog stays open with the reason; the caller closes it. */
  readonly onSubmit: (fields: FormData) => Promise<void>;
  readonly onClose: () => void;
  /** Irreversible: Enter alone must not trigger it where nothing is to be filled in. */
  readonly isDanger?: boolean;
  /** False until everything needed to decide is loaded. */
  readonly isReady?: boolean;
  /** Why the action is impossible, known up front. */
  readonly problem?: string | undefined;
  /** Text of the cancel button. */
  readonly leave?: string;
  readonly size?: "wide";
  readonly children: ReactNode;
}

const FILLED_IN = "input:not([type=hidden], [type=radio]:not(:checked)), select, textarea";

/** A dialog that asks for input or confirmation, then acts; the first field gets the focus. */
export function FormDialog({ title, onSubmit, onClose, problem, size, ...rest }: FormDialogProps) {
  const { run: _run, ...submit } = useSubmit(onSubmit);
  return (
    <Dialog title={title} onClose={onClose} first={firstOfForm} {...(size ? { size } : {})}>
      <DialogForm {...rest} onClose={onClose} submit={{ ...submit, problem: submit.problem ?? problem }} />
    </Dialog>
  );
}

/** A dialog's first field, or the button that does no harm. */
export function firstOfForm(box: HTMLElement): HTMLElement | null {
  return box.querySelector<HTMLElement>(FILLED_IN) ?? box.querySelector<HTMLElement>("[data-safe]");
}

interface DialogFormProps extends Omit<FormDialogProps, "title" | "onSubmit" | "problem" | "size"> {
  readonly submit: Omit<Submit, "run">;
  /** Submissions so far, where some end before anything is sent. */
  readonly attempts?: number;
  /** Says what is wrong at the fields, so that the browser does not. */
  readonly hasOwnChecks?: boolean;
}

/** The form of a dialog, with its buttons. */
export function DialogForm({
  does,
  submit: { isBusy, problem, onSubmit },
  attempts = 0,
  hasOwnChecks = false,
  onClose,
  isDanger = false,
  isReady = true,
  leave = "Cancel",
  children,
}: DialogFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    // At first, the focus is in the first field.
    const isAttempted = attempts > 0 || !hasOwnChecks;
    if (!isBusy && isAttempted) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isBusy, attempts, hasOwnChecks]);
  return (
    <form ref={form} onSubmit={onSubmit} aria-busy={isBusy} noValidate={hasOwnChecks}>
      {children}
      {problem && <Problem>{problem}</Problem>}
      <div className="row dialog-buttons">
        <button
          type="submit"
          className={`pf-btn ${isDanger ? "pf-btn-danger" : "pf-btn-primary"}`}
          data-safe={isDanger ? undefined : ""}
          // A disabled button would lose the focus; submissions run one at a time anyway.
          aria-disabled={isBusy}
          disabled={!isReady}
        >
          {does}
        </button>
        <button type="button" className="pf-btn" data-safe={isDanger ? "" : undefined} onClick={onClose}>
          {leave}
        </button>
      </div>
    </form>
  );
}
