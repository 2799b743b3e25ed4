import { CARRIERS, type PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { NUMBERS_PATH } from "./use-numbers.ts";

interface AddNumberDialogProps {
  readonly agentId: string;
  readonly onClose: () => void;
  readonly onAdded: (number: string) => Promise<void>;
}

/** Adds a number to the organization, for this agent. */
export function AddNumberDialog({ agentId, onClose, onAdded }: AddNumberDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const add = async (fields: FormData): Promise<void> => {
    const body = {
      number: textOf(fields, "number").replace(/[\s()./-]/g, ""),
      carrier: textOf(fields, "carrier"),
      label: textOf(fields, "label"),
      agentId,
    };
    const { number } = await session.call<PhoneNumber>(NUMBERS_PATH, { orgId: org.id, body });
    onClose();
    await onAdded(number);
  };
  return (
    <FormDialog title="Add a number" does="Add it" onSubmit={add} onClose={onClose}>
      <Field
        label="Number"
        name="number"
        type="tel"
        placeholder="+12025550124"
        autoComplete="off"
        hint="With + and its country. Any will do for loopback, where phones are simulated."
        required
      />
      <SelectField
        label="Carrier"
        name="carrier"
        options={CARRIERS}
        hint="Of the others you must have the number, and your account there be connected."
      />
      <Field label="Label (optional)" name="label" maxLength={128} placeholder="Front desk" />
    </FormDialog>
  );
}
