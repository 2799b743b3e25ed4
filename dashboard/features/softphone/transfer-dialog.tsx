import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { readNumber } from "./phone-number.ts";
import { useSoftphone } from "./softphone-context.ts";

/** Hands the other side over to another number. */
export function TransferDialog({ onClose }: { readonly onClose: () => void }) {
  const { actions, view } = useSoftphone();
  const [wrong, setWrong] = useState<string>();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const number = readNumber(textOf(fields, "to"), view.line?.ownNumber);
    setWrong("problem" in number ? number.problem : undefined);
    if ("problem" in number) return;
    await actions.transfer(number.e164);
    onClose();
  });
  return (
    <Dialog title="Transfer the call" onClose={onClose}>
      <form onSubmit={onSubmit} noValidate>
        <Field
          label="Number to hand over to"
          name="to"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          hint="They are rung at once. When they answer, you leave the call; until then you stay in it."
          autoFocus
        />
        {(wrong ?? problem) && <Problem>{wrong ?? problem}</Problem>}
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
            Transfer
          </button>
          <button type="button" className="pf-btn pf-btn-quiet" onClick={onClose}>
            Stay in the call
          </button>
        </div>
      </form>
    </Dialog>
  );
}
