import type { OperatedOrganization } from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";

interface OrganizationDialogProps {
  readonly organization: OperatedOrganization;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Credits an organization's balance. */
export function CreditDialog({ organization: { id, name }, onDone, onClose }: OrganizationDialogProps) {
  const session = useSession();
  const give = async (fields: FormData): Promise<void> => {
    const body = { amount: textOf(fields, "amount"), reason: textOf(fields, "reason") };
    await session.call(`/api/operator/organizations/${id}/credits`, { method: "POST", body });
    await onDone();
  };
  return (
    <FormDialog title={`Credit ${name}`} does="Give credit" onSubmit={give} onClose={onClose}>
      <Field label="Amount (US dollars)" name="amount" inputMode="decimal" required />
      <Field
        label="Reason"
        name="reason"
        maxLength={200}
        hint="A credit is given once for each reason."
        required
      />
    </FormDialog>
  );
}

/** Changes how an organization pays from now on. */
export function PlanDialog({ organization: { id, name, plan }, onDone, onClose }: OrganizationDialogProps) {
  const session = useSession();
  const change = async (fields: FormData): Promise<void> => {
    const body = { plan: textOf(fields, "plan") };
    await session.call(`/api/operator/organizations/${id}/plan`, { method: "PUT", body });
    await onDone();
  };
  return (
    <FormDialog title={`Plan of ${name}`} does="Change plan" onSubmit={change} onClose={onClose}>
      <ChoiceField label="Plan" name="plan" defaultValue={plan}>
        <option value="prepaid">Prepaid: calls are paid out of the balance</option>
        <option value="postpaid">Postpaid: usage is invoiced each month</option>
      </ChoiceField>
    </FormDialog>
  );
}
