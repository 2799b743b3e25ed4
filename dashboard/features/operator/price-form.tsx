import { addPriceSchema, type PriceShown } from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";
import { METRIC_LABELS } from "../billing/billing-labels.ts";

const USAGE = Object.keys(METRIC_LABELS) as PriceShown["metric"][];

/** Adds a price, which supersedes earlier ones from its time on. */
export function PriceForm({ onChanged }: { readonly onChanged: () => Promise<void> }) {
  const session = useSession();
  const form = useSchemaForm({
    schema: addPriceSchema,
    values: { metric: USAGE[0] ?? "", amount: "", per: "1", vendor: "", orgId: "", from: "" },
    // What is empty is left out.
    body: ({ from, ...typed }) => ({
      ...Object.fromEntries(
        Object.entries(typed).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
      ),
      ...(from === "" ? {} : { from: `${from}Z` }),
    }),
    send: async (body) => {
      await session.call("/api/operator/prices", { method: "POST", body });
      form.reset();
      toast("Price added.");
      await onChanged();
    },
  });
  return (
    <SchemaForm form={form} does="Add price">
      <ChoiceField {...form.field("metric", "Usage")}>
        {USAGE.map((metric) => (
          <option key={metric} value={metric}>
            {METRIC_LABELS[metric]}
          </option>
        ))}
      </ChoiceField>
      <Field {...form.field("amount", "Price (US dollars)")} inputMode="decimal" required />
      <Field {...form.field("per", "For how many")} inputMode="numeric" required />
      <Field {...form.field("vendor", "Vendor")} hint="Empty: all vendors without a price of their own." />
      <Field {...form.field("orgId", "Organization")} hint="An id (org_…). Empty: all organizations." />
      <Field {...form.field("from", "From (UTC)")} type="datetime-local" hint="Empty: from now on." />
    </SchemaForm>
  );
}
