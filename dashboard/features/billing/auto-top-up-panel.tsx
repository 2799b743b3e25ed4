import { type AutoTopUpShown, putAutoTopUpSchema } from "@parley/shared/contracts/payments.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";
import { useSubmit } from "../../ui/use-submit.ts";

interface AutoTopUpPanelProps {
  readonly autoTopUp: AutoTopUpShown;
  readonly onChanged: () => Promise<void>;
}

/** When the balance is topped up automatically, and by how much. */
export function AutoTopUpPanel({ autoTopUp, onChanged }: AutoTopUpPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const put = async (body: { readonly autoTopUp: object | null }, said: string): Promise<void> => {
    await session.call(`/api/orgs/${org.id}/billing/auto-top-up`, { method: "PUT", orgId: org.id, body });
    toast(said);
    await onChanged();
  };
  const { below, amount, pausedFor } = autoTopUp;
  const form = useSchemaForm({
    schema: putAutoTopUpSchema,
    values: { below: shortAmount(below ?? "10"), amount: shortAmount(amount ?? "25") },
    places: { "autoTopUp.below": "below", "autoTopUp.amount": "amount" },
    body: (typed) => ({ autoTopUp: { below: typed.below.trim(), amount: typed.amount.trim() } }),
    send: (body) => put(body, "Automatic top-up saved."),
  });
  const turnOff = useSubmit(() => put({ autoTopUp: null }, "Automatic top-up turned off."));
  return (
    <section className="pf-card panel" aria-labelledby="auto-top-up-title">
      <h2 id="auto-top-up-title">Automatic top-up</h2>
      {pausedFor !== null && <Problem>{`Paused: ${pausedFor} Save again to resume.`}</Problem>}
      {turnOff.problem && <Problem>{turnOff.problem}</Problem>}
      <SchemaForm
        form={form}
        does="Save"
        beside={
          below !== null && (
            <button
              type="button"
              className="pf-btn"
              aria-disabled={turnOff.isBusy}
              onClick={() => void turnOff.run()}
            >
              Turn off
            </button>
          )
        }
      >
        <Field
          {...form.field("below", "When the balance is below (US dollars)")}
          inputMode="decimal"
          required
        />
        <Field {...form.field("amount", "Add (US dollars)")} inputMode="decimal" required />
      </SchemaForm>
    </section>
  );
}

/** An amount as people type it, and as it may be sent: "10.000000" is 10. */
function shortAmount(amount: string): string {
  return /\.0*$/.test(amount) ? amount.replace(/\.0*$/, "") : amount.replace(/(\.\d\d)0+$/, "$1");
}
