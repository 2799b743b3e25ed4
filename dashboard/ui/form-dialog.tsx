import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./messages.tsx";
import { useSubmit } from "./use-submit.ts";

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
export function FormDialog({
  title,
  does,
  onSubmit,
  onClose,
  isDanger = false,
  isReady = true,
  problem,
  leave = "Cancel",
  size,
  children,
}: FormDialogProps) {
  const submit = useSubmit(onSubmit);
  const form = useRef<HTMLFormElement>(null);
  const said = submit.problem ?? problem;
  useLayoutEffect(() => {
    const first = form.current?.querySelector<HTMLElement>(FILLED_IN);
    (first ?? form.current?.querySelector<HTMLElement>("[data-safe]"))?.focus();
  }, []);
  useLayoutEffect(() => {
    if (!submit.isBusy) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submit.isBusy]);
  return (
    <Dialog title={title} onClose={onClose} {...(size ? { size } : {})}>
      <form ref={form} onSubmit={submit.onSubmit} aria-busy={submit.isBusy}>
        {children}
        {said && <Problem>{said}</Problem>}
        <div className="row">
          <button
            type="submit"
            className={`pf-btn ${isDanger ? "pf-btn-danger" : "pf-btn-primary"}`}
            data-safe={isDanger ? undefined : ""}
            // A disabled button would lose the focus; `useSubmit` runs once at a time anyway.
            aria-disabled={submit.isBusy}
            disabled={!isReady}
          >
            {does}
          </button>
          <button type="button" className="pf-btn" data-safe={isDanger ? "" : undefined} onClick={onClose}>
            {leave}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
