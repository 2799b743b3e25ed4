import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./messages.tsx";
import { useSubmit } from "./use-submit.ts";

interface FormDialogProps {
  readonly title: string;
  /** What the button that submits says. */
  readonly does: string;
  /** Gets the form's fields. The dialog stays open, with what it throws in words; who closes it is the caller. */
  readonly onSubmit: (fields: FormData) => Promise<void>;
  readonly onClose: () => void;
  /** It cannot be undone: Enter alone must not do it where nothing is to be filled in. */
  readonly isDanger?: boolean;
  /** False while what is needed to decide is not known yet. */
  readonly isReady?: boolean;
  /** Why it cannot be done, known before anybody tried. */
  readonly problem?: string | undefined;
  /** What the other button says. */
  readonly leave?: string;
  readonly size?: "wide";
  readonly children: ReactNode;
}

const FILLED_IN = "input:not([type=hidden], [type=radio]:not(:checked)), select, textarea";

/** A dialog that asks for something, or whether to, then does it: the focus begins at the first field. */
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
            // A button that is disabled loses the focus; `useSubmit` does it once at a time anyway.
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
