import { beginTopUpSchema, type PaymentBegun } from "@parley/shared/contracts/payments.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { CheckField, Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { Instructions } from "./instructions.tsx";

interface TopUpPanelProps {
  /** The payment service can store a card. */
  readonly hasCards: boolean;
  readonly onBegun: () => Promise<void>;
}

/** Tops up the balance on the payment service's page or by bank transfer. */
export function TopUpPanel({ hasCards, onBegun }: TopUpPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [instructions, setInstructions] = useState<string>();
  const form = useSchemaForm({
    schema: beginTopUpSchema,
    values: { amount: "25", savesMethod: false },
    body: ({ amount, savesMethod }) => ({ amount: amount.trim(), savesMethod }),
    send: async (body) => {
      const path = `/api/orgs/${org.id}/billing/top-ups`;
      const begun = await session.call<PaymentBegun>(path, { method: "POST", orgId: org.id, body });
      if (begun.url !== null) window.location.assign(begun.url);
      setInstructions(begun.instructions ?? undefined);
      await onBegun();
    },
  });
  return (
    <section className="pf-card panel" aria-labelledby="top-up-title">
      <h2 id="top-up-title">Add to balance</h2>
      <SchemaForm form={form} does="Add to balance">
        <Field
          {...form.field("amount", "Amount (US dollars)")}
          inputMode="decimal"
          hint="From 5 to 10,000."
          required
        />
        {hasCards && <CheckField {...form.field("savesMethod", "Save the card for automatic top-ups")} />}
        {instructions !== undefined && <Instructions text={instructions} />}
      </SchemaForm>
    </section>
  );
}
