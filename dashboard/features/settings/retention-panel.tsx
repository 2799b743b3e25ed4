import type { Retention } from "@parley/shared/contracts/retention.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { daysInWords, keptDays } from "./retention-labels.ts";

type Choice = "installation" | "forever" | "days";

interface RetentionPanelProps {
  readonly path: string;
  readonly retention: Retention;
  readonly isManager: boolean;
  readonly onChanged: () => Promise<void>;
}

/** How many days calls are kept. */
export function RetentionPanel({ path, retention, isManager, onChanged }: RetentionPanelProps) {
  const kept = keptDays(retention);
  return (
    <section className="pf-card panel" aria-labelledby="retention-title">
      <h2 id="retention-title">Retention</h2>
      <p>
        Recordings, transcripts and the webhook deliveries that tell of them are kept{" "}
        <strong>{daysInWords(Number.isFinite(kept) ? kept : 0)}</strong>
        {Number.isFinite(kept) && " after a call ends"}. That a call took place, when and how long, stays in
        the history.
      </p>
      {isManager && <RetentionForm path={path} retention={retention} onChanged={onChanged} />}
    </section>
  );
}

/** Asks for confirmation when the change would delete something. */
function RetentionForm({ path, retention, onChanged }: Omit<RetentionPanelProps, "isManager">) {
  const { recordingRetentionDays: own, defaultDays } = retention;
  const session = useSession();
  const { org } = useHere();
  const [choice, setChoice] = useState<Choice>(choiceOf(own));
  const [asked, setAsked] = useState<{ readonly days: number | null }>();
  const [isSaved, setSaved] = useState(false);
  const change = async (days: number | null): Promise<void> => {
    await session.call(path, { method: "PATCH", orgId: org.id, body: { recordingRetentionDays: days } });
    setAsked(undefined);
    setSaved(true);
    await onChanged();
  };
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    setSaved(false);
    const days = daysOf(choice, textOf(fields, "days"));
    const isShorter = keptDays({ recordingRetentionDays: days, defaultDays }) < keptDays(retention);
    if (isShorter) setAsked({ days });
    else await change(days);
  });
  const options = [
    { value: "installation", label: `Server default (${daysInWords(defaultDays)})` },
    { value: "forever", label: "For ever" },
    { value: "days", label: "A number of days" },
  ] as const;
  return (
    <>
      <form className="stack" onSubmit={onSubmit}>
        <fieldset className="check-group">
          <legend>Keep calls</legend>
          {options.map(({ value, label }) => (
            <label key={value} className="check">
              <input
                type="radio"
                name="choice"
                checked={choice === value}
                onChange={() => {
                  setChoice(value);
                  setSaved(false);
                }}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        {choice === "days" && (
          <Field
            label="Days"
            name="days"
            type="number"
            min={1}
            max={36_500}
            step={1}
            defaultValue={own === null || own === 0 ? 90 : own}
            required
          />
        )}
        {problem && <Problem>{problem}</Problem>}
        {isSaved && !problem && <Success>It counts from now on, for calls of before, too.</Success>}
        <div className="row">
          <button type="submit" className="pf-btn" disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
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
      does="Delete what is older"
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
  return choice === "forever" ? 0 : Number(typed);
}
