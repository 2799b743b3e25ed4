import { useState } from "react";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { readNumber } from "./phone-number.ts";
import { useSoftphone } from "./softphone-context.ts";

/** Transfers the other side to another number. */
export function TransferDialog({ onClose }: { readonly onClose: () => void }) {
  const { actions, view } = useSoftphone();
  const [wrong, setWrong] = useState<string>();
  const transfer = async (fields: FormData): Promise<void> => {
    const number = readNumber(textOf(fields, "to"), view.line?.ownNumber);
    setWrong("problem" in number ? number.problem : undefined);
    if ("problem" in number) return;
    await actions.transfer(number.e164);
    onClose();
  };
  return (
    <FormDialog
      title="Transfer the call"
      does="Transfer"
      leave="Stay in the call"
      problem={wrong}
      onSubmit={transfer}
      onClose={onClose}
    >
      <Field
        label="Number to hand over to"
        name="to"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        hint="They are rung at once. When they answer, you leave the call; until then you stay in it."
      />
    </FormDialog>
  );
}
