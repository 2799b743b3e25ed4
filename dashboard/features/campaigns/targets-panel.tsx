import type { TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import { useState } from "react";
import { Field, LongField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { addedText, useOrgCall } from "./use-campaigns.ts";

interface TargetsPanelProps {
  readonly campaignId: string;
  readonly onAdded: (said: string) => Promise<void>;
}

/** Adds people from a file or from pasted text. */
export function TargetsPanel({ campaignId, onAdded }: TargetsPanelProps) {
  const { send } = useOrgCall();
  const [times, setTimes] = useState(0);
  const submit = useSubmit(async (fields) => {
    const csv = (await fileText(fields)) || textOf(fields, "rows");
    if (csv === "") throw new Error("Choose a file, or paste rows.");
    const path = `/campaigns/${campaignId}/targets/import`;
    const added = await send<TargetsAdded>("POST", path, { csv });
    setTimes(times + 1);
    await onAdded(addedText(added));
  });
  return (
    <section className="pf-card panel" aria-labelledby="add-title">
      <h2 id="add-title">Add people</h2>
      {/* Resets the form once the targets are added. */}
      <form key={times} onSubmit={submit.onSubmit} aria-busy={submit.isBusy}>
        <div className="campaign-fields">
          <Field
            label="CSV file"
            name="file"
            type="file"
            accept=".csv,text/csv,text/plain"
            hint="A column named phone, with + and the country. Others become variables; timezone is read, too."
          />
          <LongField
            label="Or rows"
            name="rows"
            rows={3}
            placeholder={"phone,name\n+12025550111,Ada"}
            spellCheck={false}
          />
        </div>
        {submit.problem && <Problem>{submit.problem}</Problem>}
        <div className="row">
          <button type="submit" className="pf-btn" aria-disabled={submit.isBusy}>
            {submit.isBusy ? "Adding …" : "Add"}
          </button>
        </div>
      </form>
    </section>
  );
}

async function fileText(fields: FormData): Promise<string> {
  const file = fields.get("file");
  return file instanceof File ? (await file.text()).trim() : "";
}
