import type { PaymentBegun } from "@parley/shared/contracts/payments.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { CheckField, Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
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
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body = { amount: textOf(fields, "amount"), savesMethod: fields.get("savesMethod") !== null };
    const path = `/api/orgs/${org.id}/billing/top-ups`;
    const begun = await session.call<PaymentBegun>(path, { method: "POST", orgId: org.id, body });
    if (begun.url !== null) window.location.assign(begun.url);
    setInstructions(begun.instructions ?? undefined);
    await onBegun();
  });
  return (
    <section className="pf-card panel" aria-labelledby="top-up-title">
      <h2 id="top-up-title">Add to balance</h2>
      <form className="stack" onSubmit={onSubmit}>
        <Field
          label="Amount (US dollars)"
          name="amount"
          inputMode="decimal"
          defaultValue="25"
          hint="From 5 to 10,000."
          required
        />
        {hasCards && <CheckField label="Save the card for automatic top-ups" name="savesMethod" />}
        {problem && <Problem>{problem}</Problem>}
        {instructions !== undefined && <Instructions text={instructions} />}
        <div className="row">
          <button type="submit" className="pf-btn" disabled={isBusy}>
            Add to balance
          </button>
        </div>
      </form>
    </section>
  );
}
