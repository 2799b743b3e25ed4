import { loopbackCallSchema } from "@parley/shared/contracts/softphones.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { OutcomeDialog } from "../../ui/outcome-dialog.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { isSimulated, phoneOf, SIMULATED_PHONES, withEnding } from "./simulated-phones.ts";
import { holderText, isAnswered, nameOf, useHolders } from "./use-holders.ts";

interface SimulateCallDialogProps {
  readonly numbers: readonly PhoneNumber[];
  /** The number to call by default. */
  readonly to: string;
  readonly onClose: () => void;
}

/** Belongs to no one: 555-0100 to 0199 are reserved for fiction. */
const FROM = "+12025550100";

/**
 * Simulates a phone call to one of the organization's numbers. An incoming call here closes the dialog, and
 * is answered there.
 */
export function SimulateCallDialog({ numbers, to, onClose }: SimulateCallDialogProps) {
  const session = useSession();
  const { me, org } = useHere();
  const holders = useHolders();
  const [called, setCalled] = useState<{ readonly to: string; readonly sessionId: string }>();
  const form = useSchemaForm({
    schema: loopbackCallSchema,
    values: { to, from: FROM },
    body: (typed) => ({ to: typed.to, from: typed.from.replace(/[\s()./-]/g, "") }),
    send: async (body) => {
      const path = `/api/orgs/${org.id}/loopback-calls`;
      const { sessionId } = await session.call<{ sessionId: string }>(path, { orgId: org.id, body });
      const number = numbers.find((each) => each.number === body.to);
      if (number?.agentId === null && number.userId === me.id) onClose();
      else setCalled({ to: body.to, sessionId });
    },
  });
  const from = form.typed("from");
  const phone = phoneOf(from);
  if (called) {
    const number = numbers.find((each) => each.number === called.to);
    const see = (
      <Link
        to="/live"
        search={{ call: called.sessionId }}
        className="pf-btn pf-btn-primary"
        onClick={onClose}
      >
        Follow live
      </Link>
    );
    return (
      <OutcomeDialog title="The phone is calling" see={see} onClose={onClose}>
        {phoneText(from)} calls {phoneText(called.to)}.{" "}
        {number?.userId != null && number.agentId === null
          ? `It rings for ${nameOf(number.userId, holders)}, for 45 seconds.`
          : number && `${holderText(number, holders)}.`}
      </OutcomeDialog>
    );
  }
  return (
    <SchemaDialog title="Simulate incoming call" does="Call now" form={form} onClose={onClose}>
      <ChoiceField {...form.field("to", "Number to call")}>
        {numbers.filter(isSimulated).map((number) => (
          <option key={number.id} value={number.number} disabled={!isAnswered(number, holders)}>
            {phoneText(number.number)} – {holderText(number, holders)}
          </option>
        ))}
      </ChoiceField>
      <ChoiceField
        label="Caller"
        name="phone"
        value={phone?.ending}
        hint={phone?.does}
        onChange={({ target }) => form.put("from", withEnding(from, target.value))}
      >
        {SIMULATED_PHONES.map(({ ending, name }) => (
          <option key={ending} value={ending}>
            {name}
          </option>
        ))}
      </ChoiceField>
      <Field
        {...form.field("from", "Caller’s number")}
        type="tel"
        autoComplete="off"
        hint="Of a simulated phone; its last two digits say who calls."
        required
      />
    </SchemaDialog>
  );
}
