import { changeRetentionSchema, type Retention } from "@parley/shared/contracts/retention.ts";
import { useState } from "react";
import { InputError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { numberIn } from "../../ui/schema-form/number-in.ts";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";
import { daysInWords, keptDays } from "./retention-labels.ts";

type Choice = "installation" | "forever" | "days";

interface RetentionFormProps {
  readonly path: string;
  readonly retention: Retention;
  readonly onChanged: () => Promise<void>;
}

/** Asks for confirmation when the change would delete something. */
export function RetentionForm({ path, retention, onChanged }: RetentionFormProps) {
  const { recordingRetentionDays: own, defaultDays } = retention;
  const session = useSession();
  const { org } = useHere();
  const [choice, setChoice] = useState<Choice>(choiceOf(own));
  const [asked, setAsked] = useState<{ readonly days: number | null }>();
  const change = async (days: number | null): Promise<void> => {
    await session.call(path, { method: "PATCH", orgId: org.id, body: { recordingRetentionDays: days } });
    setAsked(undefined);
    toast("Saved. Applies to existing calls, too.");
    await onChanged();
  };
  const form = useSchemaForm({
    schema: changeRetentionSchema,
    values: { days: String(own === null || own === 0 ? 90 : own) },
    places: { recordingRetentionDays: "days" },
    body: ({ days }) => ({ recordingRetentionDays: daysOf(choice, days) }),
    send: async ({ recordingRetentionDays: days = null }) => {
      // A day at least: none would be for ever.
      if (choice === "days" && days === 0) throw new InputError("Enter one day at least.");
      const isShorter = keptDays({ recordingRetentionDays: days, defaultDays }) < keptDays(retention);
      if (isShorter) setAsked({ days });
      else await change(days);
    },
  });
  const options = [
    { value: "installation", label: `Server default (${daysInWords(defaultDays)})` },
    { value: "forever", label: "Forever" },
    { value: "days", label: "A number of days" },
  ] as const;
  return (
    <>
      <SchemaForm form={form} does="Save">
        <fieldset className="check-group">
          <legend>Keep calls</legend>
          {options.map(({ value, label }) => (
            <label key={value} className="check">
              <input
                type="radio"
                name="choice"
                checked={choice === value}
                onChange={() => setChoice(value)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        {choice === "days" && (
          <Field {...form.field("days", "Days")} type="number" min={1} max={36_500} step={1} required />
        )}
      </SchemaForm>
      {asked && (
        <Shorten
          days={keptDays({ recordingRetentionDays: asked.days, defaultDays })}
          onClose={() => setAsked(undefined)}
          onAgree={() => change(asked.days)}
        />
      )}
    </>
  );
}

interface ShortenProps {
  readonly days: number;
  readonly onClose: () => void;
  readonly onAgree: () => Promise<void>;
}

function Shorten({ days, onClose, onAgree }: ShortenProps) {
  return (
    <FormDialog
      title={`Keep calls for ${daysInWords(days)} only?`}
      does="Delete older calls"
      isDanger
      onSubmit={onAgree}
      onClose={onClose}
    >
      <p>
        What is older is deleted within minutes: recordings, transcripts, tools and webhook deliveries. It
        cannot be had back.
      </p>
    </FormDialog>
  );
}

function choiceOf(own: number | null): Choice {
  if (own === null) return "installation";
  return own === 0 ? "forever" : "days";
}

function daysOf(choice: Choice, typed: string): number | null {
  if (choice === "installation") return null;
  return choice === "forever" ? 0 : numberIn(typed);
}
