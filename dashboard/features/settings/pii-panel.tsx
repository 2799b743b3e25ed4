import { PII_RULES, type PiiPolicy, type PiiRule } from "@parley/shared/contracts/pii.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { type PolicyDraft, toDraft, toPolicy } from "./pii-draft.ts";
import { PiiPatterns } from "./pii-patterns.tsx";
import { PiiTry } from "./pii-try.tsx";

const RULES: Readonly<Record<PiiRule, string>> = {
  card_number: "Card numbers",
  email: "E-mail addresses",
  phone: "Telephone numbers",
  national_id: "National ids of the US, the UK and Spain",
};

/** What is masked in calls and chats before anything is kept or sent. */
export function PiiPanel() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/pii-policy`;
  const loaded = useData(path, () => session.call<PiiPolicy>(path, { method: "GET", orgId: org.id }));
  return (
    <section className="pf-card panel" aria-labelledby="pii-title">
      <h2 id="pii-title">PII redaction</h2>
      <p className="pf-muted">
        Applied before anything said or typed is stored, shown to people who watch the call, or sent to a
        webhook. The sound of recordings stays as it was. A change counts for sessions that are made after it.
      </p>
      <Loaded of={loaded}>{(policy) => <PolicyForm path={path} policy={policy} />}</Loaded>
    </section>
  );
}

function PolicyForm({ path, policy }: { readonly path: string; readonly policy: PiiPolicy }) {
  const session = useSession();
  const { org } = useHere();
  const [draft, setDraft] = useState<PolicyDraft>(() => toDraft(policy));
  const [isSaved, setSaved] = useState(false);
  const change = (next: PolicyDraft): void => {
    setDraft(next);
    setSaved(false);
  };
  const { onSubmit, isBusy, problem } = useSubmit(async () => {
    await session.call(path, { method: "PUT", orgId: org.id, body: toPolicy(draft) });
    setSaved(true);
  });
  return (
    <>
      <form className="stack pii-form" onSubmit={onSubmit}>
        <PolicyRules draft={draft} onChange={change} />
        <PiiPatterns draft={draft} onChange={change} />
        {problem && <Problem>{problem}</Problem>}
        {isSaved && !problem && <Success>It counts for sessions that are made from now on.</Success>}
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
      <PiiTry path={`${path}/try`} draft={draft} />
    </>
  );
}

interface PolicyRulesProps {
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
}

function PolicyRules({ draft, onChange }: PolicyRulesProps) {
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
              <label className="pii-mask">
                <span>
                  <span className="only-heard">{RULES[rule]} are </span>masked as
                </span>
                <input
                  className="pf-input"
                  value={draft.rules[rule].mask}
                  placeholder={`[${rule}]`}
                  maxLength={64}
                  autoComplete="off"
                  onChange={({ target }) => set(rule, { mask: target.value })}
                />
              </label>
            )}
          </div>
        ))}
      </fieldset>
      <Field
        label="Country"
        name="country"
        value={draft.country}
        maxLength={2}
        pattern="[A-Za-z]{2}"
        title="Two letters"
        autoComplete="off"
        hint="Where telephone numbers without a country code are from, in two letters: US, GB, ES."
        required
        onChange={({ target }) => onChange({ ...draft, country: target.value })}
      />
    </>
  );
}
