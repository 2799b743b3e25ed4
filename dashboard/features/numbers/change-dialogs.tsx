import {
  type PhoneNumber,
  type UpdateNumber,
  updateNumberSchema,
} from "@parley/shared/contracts/telephony.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { choiceOf, chosenHolder, HOLDER_PLACES, HolderField } from "./holder-field.tsx";
import { type Holders, nameOf } from "./use-holders.ts";
import { NUMBERS_PATH } from "./use-numbers.ts";

interface ChangeProps {
  readonly number: PhoneNumber;
  readonly holders: Holders;
  readonly onClose: () => void;
  readonly onChanged: (number: PhoneNumber) => Promise<void>;
}

/** Updates one number; returns the updated number. */
function useChange({ id }: PhoneNumber): (change: UpdateNumber) => Promise<PhoneNumber> {
  const session = useSession();
  const { org } = useHere();
  return (body) =>
    session.call<PhoneNumber>(`${NUMBERS_PATH}/${id}`, { method: "PATCH", orgId: org.id, body });
}

/** Sets whom a number rings, and its name. */
export function GiveNumberDialog({ number, holders, onClose, onChanged }: ChangeProps) {
  const change = useChange(number);
  const form = useSchemaForm({
    schema: updateNumberSchema,
    values: { holder: choiceOf(number), label: number.label },
    places: HOLDER_PLACES,
    body: ({ holder, label }) => ({ ...chosenHolder(holder, number), label: label.trim() }),
    send: async (body) => {
      const changed = await change(body);
      onClose();
      await onChanged(changed);
    },
  });
  return (
    <SchemaDialog title={phoneText(number.number)} does="Save" form={form} onClose={onClose}>
      <HolderField {...form.field("holder", "Calls ring")} holders={holders} holder={number} />
      <Field {...form.field("label", "Label (optional)")} autoComplete="off" />
    </SchemaDialog>
  );
}

/** Takes a number from its holder. */
export function TakeAwayDialog({ number, holders, onClose, onChanged }: ChangeProps) {
  const change = useChange(number);
  const take = async (): Promise<void> => {
    const changed = await change({ agentId: null, userId: null });
    onClose();
    await onChanged(changed);
  };
  const names = [
    number.agentId === null ? undefined : (holders.agents.get(number.agentId) ?? number.agentId),
    number.userId === null ? undefined : nameOf(number.userId, holders),
  ].filter((name) => name !== undefined);
  return (
    <FormDialog
      title={`Take ${phoneText(number.number)} from ${names.join(" and ")}?`}
      does="Unassign"
      isDanger
      onSubmit={take}
      onClose={onClose}
    >
      <p>Incoming calls will be rejected until you reassign it. You keep the number.</p>
    </FormDialog>
  );
}
