import {
  changePlanSchema,
  giveCreditSchema,
  type OperatedOrganization,
} from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";

interface OrganizationDialogProps {
  readonly organization: OperatedOrganization;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Credits an organization's balance. */
export function CreditDialog({ organization: { id, name }, onDone, onClose }: OrganizationDialogProps) {
  const session = useSession();
  const form = useSchemaForm({
    schema: giveCreditSchema,
    values: { amount: "", reason: "" },
    body: ({ amount, reason }) => ({ amount: amount.trim(), reason }),
    send: async (body) => {
      await session.call(`/api/operator/organizations/${id}/credits`, { method: "POST", body });
      toast(`${name} credited.`);
      await onDone();
    },
  });
  return (
    <SchemaDialog title={`Credit ${name}`} does="Give credit" form={form} onClose={onClose}>
      <Field {...form.field("amount", "Amount (US dollars)")} inputMode="decimal" required />
      <Field {...form.field("reason", "Reason")} hint="A credit is given once for each reason." required />
    </SchemaDialog>
  );
}

/** Changes how an organization pays from now on. */
export function PlanDialog({ organization: { id, name, plan }, onDone, onClose }: OrganizationDialogProps) {
  const session = useSession();
  const form = useSchemaForm({
    schema: changePlanSchema,
    values: { plan },
    send: async (body) => {
      await session.call(`/api/operator/organizations/${id}/plan`, { method: "PUT", body });
      toast(`Plan of ${name} changed.`);
      await onDone();
    },
  });
  return (
    <SchemaDialog title={`Plan of ${name}`} does="Change plan" form={form} onClose={onClose}>
      <ChoiceField {...form.field("plan", "Plan")}>
        <option value="prepaid">Prepaid: calls are paid out of the balance</option>
        <option value="postpaid">Postpaid: usage is invoiced each month</option>
      </ChoiceField>
    </SchemaDialog>
  );
}
