import type { SchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { PiiCell } from "./pii-cell.tsx";
import { type PatternDraft, type PolicyDraft, withPattern } from "./pii-draft.ts";

const MAX_PATTERNS = 20;
const COLUMNS = [
  { name: "name", label: "Name", placeholder: "customer", isRequired: true },
  { name: "pattern", label: "Pattern", placeholder: "CU-####", isRequired: true },
  { name: "mask", label: "Mask", placeholder: "[name]", isRequired: false },
] as const;

/** A part of the policy's form. */
export interface PolicyPartProps {
  readonly form: SchemaForm<Record<string, string>>;
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
}

/** The organization's own patterns, one per row. */
export function PiiPatterns({ form, draft, onChange }: PolicyPartProps) {
  const set = (key: number, to: Partial<PatternDraft>): void =>
    onChange({
      ...draft,
      patterns: draft.patterns.map((one) => (one.key === key ? { ...one, ...to } : one)),
    });
  const remove = (key: number): void =>
    onChange({ ...draft, patterns: draft.patterns.filter((one) => one.key !== key) });
  return (
    <fieldset className="check-group pii-patterns">
      <legend>Your own patterns</legend>
      <p className="pf-muted field-hint">
        <code>#</code> matches a digit, <code>@</code> a letter, <code>*</code> either; other characters match
        themselves. Spaces, dashes and dots in between are ignored.
      </p>
      {draft.patterns.map((row, index) => (
        <div key={row.key} className="pii-pattern">
          {COLUMNS.map(({ name, label, placeholder, isRequired }) => (
            <PiiCell
              key={name}
              className="pii-cell"
              label={
                <>
                  {label}
                  <span className="only-heard"> of pattern {index + 1}</span>
                </>
              }
              fault={form.field(`${name}-${row.key}`, label).fault}
              placeholder={placeholder}
              value={row[name]}
              required={isRequired}
              onChange={({ target }) => set(row.key, { [name]: target.value })}
            />
          ))}
          <button type="button" className="pf-btn pf-btn-quiet" onClick={() => remove(row.key)}>
            Remove<span className="only-heard"> pattern {index + 1}</span>
          </button>
        </div>
      ))}
      {draft.patterns.length < MAX_PATTERNS && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => onChange(withPattern(draft))}>
            Add pattern
          </button>
        </div>
      )}
    </fieldset>
  );
}
