import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { FieldValues } from "react-hook-form";
import { Problem } from "../messages.tsx";
import type { SchemaForm as Form } from "./use-schema-form.ts";

interface SchemaFormProps<Typed extends FieldValues> {
  readonly form: Form<Typed>;
  /** Text of the submit button. */
  readonly does: string;
  readonly isMain?: boolean;
  /** Buttons beside the submit button. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** A form on a page, checked with a schema. */
export function SchemaForm<Typed extends FieldValues>({
  form: { onSubmit, isBusy, attempts, problem },
  does,
  isMain = false,
  beside,
  children,
}: SchemaFormProps<Typed>) {
  const form = useRef<HTMLFormElement>(null);
  useFocusOnFault(form, { isBusy, attempts });
  return (
    // The browser's own bubbles would come before the sentences at the fields.
    <form ref={form} className="stack" onSubmit={onSubmit} aria-busy={isBusy} noValidate>
      {children}
      {problem && <Problem>{problem}</Problem>}
      <div className="row">
        <button type="submit" className={isMain ? "pf-btn pf-btn-primary" : "pf-btn"} aria-disabled={isBusy}>
          {does}
        </button>
        {beside}
      </div>
    </form>
  );
}

/** Moves the focus to the first field that is wrong, in the page's order, after each attempt. */
function useFocusOnFault(
  form: { readonly current: HTMLFormElement | null },
  { isBusy, attempts }: Pick<Form<FieldValues>, "isBusy" | "attempts">,
): void {
  useLayoutEffect(() => {
    if (attempts > 0 && !isBusy) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, isBusy, attempts]);
}
