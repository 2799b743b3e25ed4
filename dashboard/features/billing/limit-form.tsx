import { putLimitSchema } from "@parley/shared/contracts/billing.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";
import type { LimitScope } from "./use-limit-scopes.ts";

interface LimitFormProps {
  readonly scopes: readonly LimitScope[];
  readonly onChanged: () => Promise<void>;
}

/** Sets a limit for the organization, an agent, a campaign or a key. */
export function LimitForm({ scopes, onChanged }: LimitFormProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: putLimitSchema,
    values: { of: "organization", amount: "", period: "day", kind: "hard" },
    places: { scope: "of", scopeId: "of" },
    body: ({ of, amount, ...typed }) => {
      const [scope = "", scopeId = ""] = of.split(" ");
      return { ...typed, scope, scopeId, amount: amount.trim() };
    },
    send: async (body) => {
      await session.call(`/api/orgs/${org.id}/billing/limits`, { method: "PUT", orgId: org.id, body });
      form.reset();
      toast("Limit set.");
      await onChanged();
    },
  });
  return (
    <SchemaForm form={form} does="Set limit">
      <ChoiceField key={scopes.length} {...form.field("of", "Applies to")}>
        <option value="organization">Organization</option>
        {scopes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </ChoiceField>
      <Field {...form.field("amount", "Limit (US dollars)")} inputMode="decimal" required />
      <ChoiceField {...form.field("period", "Period")}>
        <option value="day">Day</option>
        <option value="month">Month</option>
      </ChoiceField>
      <ChoiceField {...form.field("kind", "When reached")}>
        <option value="hard">Refuse new calls and messages</option>
        <option value="soft">Email the owners</option>
      </ChoiceField>
    </SchemaForm>
  );
}
