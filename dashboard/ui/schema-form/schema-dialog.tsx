import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Dialog } from "../dialog.tsx";
import { DialogForm, firstOfForm } from "../form-dialog.tsx";
import type { SchemaForm } from "./use-schema-form.ts";

interface SchemaDialogProps<Typed extends FieldValues> {
  readonly title: string;
  /** Text of the submit button. */
  readonly does: string;
  readonly form: SchemaForm<Typed>;
  readonly onClose: () => void;
  readonly size?: "wide";
  /** False until everything needed to decide is loaded. */
  readonly isReady?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a form that is checked with a schema; the first field gets the focus. */
export function SchemaDialog<Typed extends FieldValues>({
  title,
  does,
  form,
  onClose,
  size,
  isReady = true,
  children,
}: SchemaDialogProps<Typed>) {
  const { isBusy, attempts, problem, onSubmit } = form;
  return (
    <Dialog title={title} onClose={onClose} first={firstOfForm} {...(size ? { size } : {})}>
      <DialogForm
        does={does}
        submit={{ isBusy, problem, onSubmit }}
        attempts={attempts}
        isReady={isReady}
        onClose={onClose}
        hasOwnChecks
      >
        {children}
      </DialogForm>
    </Dialog>
  );
}
