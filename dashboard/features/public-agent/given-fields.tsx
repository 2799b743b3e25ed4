import type { LeadField, VisitorPage } from "@parley/shared/contracts/public-agents.ts";
import type { Ref } from "react";
import { Field } from "../../ui/field.tsx";
import type { Given } from "./visit.ts";

interface Asked {
  readonly label: string;
  readonly autoComplete: string;
  readonly type?: "email" | "tel";
}

const FIELDS: Readonly<Record<LeadField, Asked>> = {
  name: { label: "Your name", autoComplete: "name" },
  email: { label: "Email", type: "email", autoComplete: "email" },
  phone: { label: "Phone", type: "tel", autoComplete: "tel" },
  company: { label: "Company", autoComplete: "organization" },
};

interface GivenFieldsProps {
  readonly page: VisitorPage;
  readonly ref: Ref<HTMLFormElement>;
}

/** Fields for visitors to fill in first; renders nothing when none are set. */
export function GivenFields({ page, ref }: GivenFieldsProps) {
  if (page.lead.length === 0 && !page.needsCode) return null;
  return (
    <form ref={ref} className="public-given" onSubmit={(event) => event.preventDefault()}>
      {page.lead.map(({ field, required }) => {
        const { label, type = "text", autoComplete } = FIELDS[field];
        return (
          <Field
            key={field}
            label={required ? label : `${label} (optional)`}
            name={field}
            required={required}
            maxLength={200}
            type={type}
            autoComplete={autoComplete}
          />
        );
      })}
      {page.needsCode && (
        <Field
          label="Access code"
          name="code"
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </form>
  );
}

export function readGiven(data: FormData, page: VisitorPage): Given {
  const text = (name: string): string => String(data.get(name) ?? "").trim();
  const lead = Object.fromEntries(
    page.lead.flatMap(({ field }) => (text(field) === "" ? [] : [[field, text(field)]])),
  );
  return { ...(page.needsCode && { code: text("code") }), ...(Object.keys(lead).length > 0 && { lead }) };
}
