import type { PhoneNumber, UpdateNumber } from "@parley/shared/contracts/telephony.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useFieldFaults } from "../../ui/use-field-faults.ts";
import { textOf } from "../../ui/use-submit.ts";
import { shownNumber } from "../softphone/phone-number.ts";
import { chosenHolder, HOLDER_FIELDS, HolderField } from "./holder-field.tsx";
import { type Holders, nameOf } from "./use-holders.ts";
import { NUMBERS_PATH } from "./use-numbers.ts";

interface ChangeProps {
  readonly number: PhoneNumber;
  readonly holders: Holders;
  readonly onClose: () => void;
  readonly onChanged: (number: PhoneNumber) => Promise<void>;
}

const FIELDS = ["label", ...HOLDER_FIELDS];

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
  const { faults, attempt } = useFieldFaults(FIELDS);
  const save = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const changed = await change({ ...chosenHolder(fields, number), label: textOf(fields, "label") });
      onClose();
      await onChanged(changed);
    });
  return (
    <FormDialog title={shownNumber(number.number)} does="Save" onSubmit={save} onClose={onClose}>
      <HolderField holders={holders} holder={number} faults={faults} />
      <Field
        label="Label (optional)"
        name="label"
        maxLength={128}
        defaultValue={number.label}
        autoComplete="off"
        fault={faults.label}
      />
    </FormDialog>
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
      title={`Take ${shownNumber(number.number)} from ${names.join(" and ")}?`}
      does="Unassign"
      isDanger
      onSubmit={take}
      onClose={onClose}
    >
      <p>Incoming calls will be rejected until you reassign it. You keep the number.</p>
    </FormDialog>
  );
}
