import { PII_RULES, type PiiPolicy, type PiiRule, piiPolicySchema } from "@parley/shared/contracts/pii.ts";
import { useRef, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";
import { PiiCell } from "./pii-cell.tsx";
import { type PolicyDraft, placesIn, toDraft, toPolicy } from "./pii-draft.ts";
import { PiiPatterns, type PolicyPartProps } from "./pii-patterns.tsx";
import { PiiTry } from "./pii-try.tsx";

const RULES: Readonly<Record<PiiRule, string>> = {
  card_number: "Card numbers",
  email: "Email addresses",
  phone: "Phone numbers",
  national_id: "National IDs of the US, the UK and Spain",
};

/** Edits a policy, and tries it before it is saved. */
export function PolicyForm({ path, policy }: { readonly path: string; readonly policy: PiiPolicy }) {
  const session = useSession();
  const { org } = useHere();
  const [draft, setDraft] = useState<PolicyDraft>(() => toDraft(policy));
  // The form checks while the next draft is not shown yet.
  const latest = useRef(draft);
  const form = useSchemaForm<Record<string, string>, typeof piiPolicySchema>({
    schema: piiPolicySchema,
    // What is typed is in the draft: its rows come and go.
    values: NOTHING,
    places: () => placesIn(latest.current),
    body: () => toPolicy(latest.current),
    send: async (body) => {
      await session.call(path, { method: "PUT", orgId: org.id, body });
      toast("Saved. Applies to new sessions.");
    },
  });
  const change = (next: PolicyDraft): void => {
    latest.current = next;
    setDraft(next);
    form.recheck();
  };
  return (
    <>
      <div className="pii-form">
        <SchemaForm form={form} does="Save" isMain>
          <PolicyRules form={form} draft={draft} onChange={change} />
          <PiiPatterns form={form} draft={draft} onChange={change} />
        </SchemaForm>
      </div>
      <PiiTry path={`${path}/try`} draft={draft} />
    </>
  );
}

const NOTHING: Record<string, string> = {};

function PolicyRules({ form, draft, onChange }: PolicyPartProps) {
  const set = (rule: PiiRule, to: Partial<PolicyDraft["rules"][PiiRule]>): void =>
    onChange({ ...draft, rules: { ...draft.rules, [rule]: { ...draft.rules[rule], ...to } } });
  return (
    <>
      <fieldset className="check-group">
        <legend>Built-in rules</legend>
        {PII_RULES.map((rule) => (
          <div key={rule} className="pii-rule">
            <label className="check">
              <input
                type="checkbox"
                checked={draft.rules[rule].isOn}
                onChange={({ target }) => set(rule, { isOn: target.checked })}
              />
              <span>{RULES[rule]}</span>
            </label>
            {draft.rules[rule].isOn && (
              <PiiCell
                className="pii-mask"
                label={
                  <>
                    <span className="only-heard">{RULES[rule]} are </span>masked as
                  </>
                }
                fault={form.field(`mask-${rule}`, "Mask").fault}
                value={draft.rules[rule].mask}
                placeholder={`[${rule}]`}
                onChange={({ target }) => set(rule, { mask: target.value })}
              />
            )}
          </div>
        ))}
      </fieldset>
      <Field
        label="Country"
        name="country"
        value={draft.country}
        fault={form.field("country", "Country").fault}
        autoComplete="off"
        hint="Country of phone numbers without a country code, in two letters: US, GB, ES."
        required
        onChange={({ target }) => onChange({ ...draft, country: target.value })}
      />
    </>
  );
}
