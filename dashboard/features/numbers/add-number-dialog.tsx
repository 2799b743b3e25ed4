import type { CarrierConnection } from "@parley/shared/contracts/carrier-connections.ts";
import { ACCOUNT_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import { createNumberSchema, type PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import type { ComponentProps } from "react";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { CarrierName } from "./carrier-name.tsx";
import { choiceOf, chosenHolder, HOLDER_PLACES, HolderField } from "./holder-field.tsx";
import { useCarriers } from "./use-carriers.ts";
import { type Holders, whyNotRung } from "./use-holders.ts";
import { NUMBERS_PATH } from "./use-numbers.ts";

interface AddNumberDialogProps {
  /** The agent that answers the number, or the holders to choose from. */
  readonly holder: { readonly agentId: string } | Holders;
  readonly onClose: () => void;
  readonly onAdded: (number: PhoneNumber) => Promise<void>;
}

/** Adds a number to the organization. */
export function AddNumberDialog({ holder, onClose, onAdded }: AddNumberDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const isGiven = "agentId" in holder;
  const ringing = isGiven ? NOBODY : { agentId: null, userId: ownIdIn(holder) };
  const form = useSchemaForm({
    schema: createNumberSchema,
    values: { number: "", carrier: "loopback", label: "", holder: choiceOf(ringing) },
    // What is wrong with a given agent is about no field that is shown.
    ...(isGiven ? {} : { places: HOLDER_PLACES }),
    body: (typed) => ({
      number: typed.number.replace(/[\s()./-]/g, ""),
      carrier: typed.carrier,
      label: typed.label.trim(),
      ...(isGiven ? holder : chosenHolder(typed.holder, NOBODY)),
    }),
    send: async (body) => {
      const added = await session.call<PhoneNumber>(NUMBERS_PATH, { orgId: org.id, body });
      onClose();
      await onAdded(added);
    },
  });
  return (
    <SchemaDialog title="Add number" does="Add number" form={form} onClose={onClose}>
      <Field
        {...form.field("number", "Number")}
        type="tel"
        placeholder="+12025550124"
        autoComplete="off"
        hint="Include the country code, e.g. +1. A simulated number can be any, such as +1 202 555 0124."
        required
      />
      <CarrierField {...form.field("carrier", "Carrier")} />
      {!isGiven && <HolderField {...form.field("holder", "Calls ring")} holders={holder} holder={ringing} />}
      <Field {...form.field("label", "Label (optional)")} placeholder="Front desk" autoComplete="off" />
    </SchemaDialog>
  );
}

/** Whoever adds a number gets its calls, if they may take any. */
function ownIdIn({ members, ownId }: Holders): string | null {
  const own = members.find(({ userId }) => userId === ownId);
  return own && whyNotRung(own) === undefined ? ownId : null;
}

const NOBODY = { agentId: null, userId: null } as const;

/** Chooses the carrier. */
function CarrierField(field: Omit<ComponentProps<typeof ChoiceField>, "children" | "hint">) {
  return can(useHere(), "manage_workplace") ? (
    <KnownCarriers {...field} />
  ) : (
    <CarrierChoice
      {...field}
      hint="Simulated numbers are free. Other carriers need an account connected by an owner or admin."
    />
  );
}

/** Only owners and admins may see which accounts are connected. */
function KnownCarriers(field: Omit<ComponentProps<typeof CarrierChoice>, "hint" | "connected">) {
  const { data } = useCarriers();
  return (
    <CarrierChoice
      {...field}
      hint="Simulated numbers are free. Other carriers need an account: Connect carrier, on this page."
      connected={data}
    />
  );
}

interface CarrierChoiceProps extends Omit<ComponentProps<typeof ChoiceField>, "children"> {
  /** Absent where it is not known. */
  readonly connected?: readonly CarrierConnection[] | undefined;
}

function CarrierChoice({ connected, ...field }: CarrierChoiceProps) {
  return (
    <ChoiceField {...field}>
      <option value="loopback">Simulated (no account)</option>
      {ACCOUNT_CARRIERS.map((carrier) => {
        const account = connected?.find((connection) => connection.carrier === carrier)?.account;
        const isMissing = connected !== undefined && account === undefined;
        return (
          <option key={carrier} value={carrier} disabled={isMissing}>
            <CarrierName of={carrier} />
            {isMissing && " (no account connected)"}
            {account && ` (${account})`}
          </option>
        );
      })}
    </ChoiceField>
  );
}
