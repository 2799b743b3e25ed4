import type { CarrierConnection } from "@parley/shared/contracts/carrier-connections.ts";
import { ACCOUNT_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useFieldFaults } from "../../ui/use-field-faults.ts";
import { textOf } from "../../ui/use-submit.ts";
import { CarrierName } from "./carrier-name.tsx";
import { chosenHolder, HOLDER_FIELDS, HolderField } from "./holder-field.tsx";
import type { Holders } from "./use-holders.ts";
import { NUMBERS_PATH } from "./use-numbers.ts";

interface AddNumberDialogProps {
  /** The agent that answers the number, or the holders to choose from. */
  readonly holder: { readonly agentId: string } | Holders;
  readonly onClose: () => void;
  readonly onAdded: (number: PhoneNumber) => Promise<void>;
}

const FIELDS = ["number", "carrier", "label"];

/** Adds a number to the organization. */
export function AddNumberDialog({ holder, onClose, onAdded }: AddNumberDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const isGiven = "agentId" in holder;
  const { faults, attempt } = useFieldFaults(isGiven ? FIELDS : [...FIELDS, ...HOLDER_FIELDS]);
  const add = (fields: FormData): Promise<void> =>
    attempt(async () => {
      const body = {
        number: textOf(fields, "number").replace(/[\s()./-]/g, ""),
        carrier: textOf(fields, "carrier"),
        label: textOf(fields, "label"),
        ...(isGiven ? holder : chosenHolder(fields, NOBODY)),
      };
      const added = await session.call<PhoneNumber>(NUMBERS_PATH, { orgId: org.id, body });
      onClose();
      await onAdded(added);
    });
  return (
    <FormDialog title="Add a number" does="Add it" onSubmit={add} onClose={onClose}>
      <Field
        label="Number"
        name="number"
        type="tel"
        placeholder="+12025550124"
        autoComplete="off"
        hint="Include the country code, e.g. +1. A simulated one may be any, such as +12025550124."
        fault={faults.number}
        required
      />
      <CarrierField fault={faults.carrier} />
      {!isGiven && (
        <HolderField holders={holder} holder={{ agentId: null, userId: holder.ownId }} faults={faults} />
      )}
      <Field
        label="Label (optional)"
        name="label"
        maxLength={128}
        placeholder="Front desk"
        autoComplete="off"
        fault={faults.label}
      />
    </FormDialog>
  );
}

const NOBODY = { agentId: null, userId: null } as const;

/** Chooses the carrier. Only owners and admins may see which accounts are connected. */
function CarrierField({ fault }: { readonly fault: string | undefined }) {
  const session = useSession();
  const here = useHere();
  const { id: orgId } = here.org;
  const isKnown = can(here, "manage_workplace");
  const { data } = useData(`carriers ${orgId} ${isKnown}`, async () => {
    if (!isKnown) return null;
    const path = `/api/orgs/${orgId}/carriers`;
    return (await session.call<{ carriers: CarrierConnection[] }>(path, { method: "GET", orgId })).carriers;
  });
  return (
    <ChoiceField
      label="Carrier"
      name="carrier"
      fault={fault}
      hint={
        isKnown
          ? "Simulated phones call it, and cost nothing. The others need your account there, connected."
          : "Simulated phones call it, and cost nothing. Of the others an owner or admin must have connected the account."
      }
    >
      <option value="loopback">Simulated (no account)</option>
      {ACCOUNT_CARRIERS.map((carrier) => {
        const account = data?.find((connection) => connection.carrier === carrier)?.account;
        const isMissing = data !== undefined && data !== null && account === undefined;
        return (
          <option key={carrier} value={carrier} disabled={isMissing}>
            <CarrierName of={carrier} /> {isMissing && "(no account connected)"} {account && `(${account})`}
          </option>
        );
      })}
    </ChoiceField>
  );
}
