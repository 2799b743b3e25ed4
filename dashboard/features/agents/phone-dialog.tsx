import type { Agent } from "@parley/shared/contracts/agents.ts";
import { initiateCallSchema, type PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import { type ComponentProps, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { OutcomeDialog } from "../../ui/outcome-dialog.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { useNumbers } from "../numbers/use-numbers.ts";
import { VariableFields } from "./variable-fields.tsx";

interface PhoneDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Lets the agent call a phone number. */
export function PhoneDialog({ agent, onClose }: PhoneDialogProps) {
  const [placed, setPlaced] = useState<PlacedCall>();
  const form = usePhoneForm(agent, setPlaced);
  if (placed) {
    const see = (
      <Link
        to="/calls/$id"
        params={{ id: placed.sessionId }}
        className="pf-btn pf-btn-primary"
        onClick={onClose}
      >
        Open call
      </Link>
    );
    return (
      <OutcomeDialog title={`${agent.name} is calling`} see={see} onClose={onClose}>
        {phoneText(placed.toNumber)} is called from {phoneText(placed.fromNumber)}.
      </OutcomeDialog>
    );
  }
  return (
    <SchemaDialog title={`Call a phone with ${agent.name}`} does="Call now" form={form} onClose={onClose}>
      <Field
        {...form.field("to", "To")}
        type="tel"
        placeholder="+12025550107"
        autoComplete="tel"
        hint="Include the country code, e.g. +1. From a simulated number you can call simulated phones, such as +1 202 555 0107."
        required
      />
      <FromNumber {...form.field("fromNumberId", "From")} agentId={agent.id} />
      <VariableFields agent={agent} fieldOf={(name, label) => form.field(placeOf(name), label)} />
    </SchemaDialog>
  );
}

/** Where a variable of the call is typed. */
const placeOf = (variable: string): string => `variable-${variable}`;

function usePhoneForm(agent: Agent, onPlaced: (call: PlacedCall) => void) {
  const session = useSession();
  const { org } = useHere();
  // Retrying after a broken connection is the same call: the phone rings once.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const names = agent.variables.map(({ name }) => name);
  const values: Record<string, string> & { readonly to: string; readonly fromNumberId: string } = {
    to: "",
    fromNumberId: "",
    ...Object.fromEntries(names.map((name) => [placeOf(name), ""])),
  };
  return useSchemaForm({
    schema: initiateCallSchema,
    values,
    places: Object.fromEntries(names.map((name) => [`variables.${name}`, placeOf(name)])),
    body: (typed) => ({
      agentId: agent.id,
      to: typed.to.replace(/[\s()./-]/g, ""),
      // Those left empty are left out.
      variables: Object.fromEntries(
        names.flatMap((name) => {
          const value = typed[placeOf(name)]?.trim() ?? "";
          return value === "" ? [] : [[name, value]];
        }),
      ),
      ...(typed.fromNumberId === "" ? {} : { fromNumberId: typed.fromNumberId }),
    }),
    send: async (body) => {
      const headers = { "idempotency-key": key };
      try {
        const path = "/api/sessions/initiate-call";
        onPlaced(await session.call<PlacedCall>(path, { orgId: org.id, body, headers }));
      } catch (error) {
        // A refused call rang no phone, and may be corrected.
        if (error instanceof ApiError && error.status < 500) setKey(crypto.randomUUID());
        throw error;
      }
    },
  });
}

type FromNumberProps = Omit<ComponentProps<typeof ChoiceField>, "children"> & { readonly agentId: string };

function FromNumber({ agentId, ...field }: FromNumberProps) {
  const { data: numbers } = useNumbers();
  if (numbers?.length === 0)
    return <p>There is no number to call from yet: add one under Numbers & access.</p>;
  return (
    <ChoiceField key={numbers?.length} {...field}>
      <option value="">The agent’s number, else the first one</option>
      {numbers?.map((number) => (
        <option key={number.id} value={number.id}>
          {number.number} {number.label} {number.agentId === agentId ? "(this agent’s)" : ""}
        </option>
      ))}
    </ChoiceField>
  );
}
