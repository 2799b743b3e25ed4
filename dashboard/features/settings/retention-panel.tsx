import type { Retention } from "@parley/shared/contracts/retention.ts";
import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import { daysInWords, keptDays } from "./retention-labels.ts";

const RetentionForm = later(async () => (await import("./retention-form.tsx")).RetentionForm, Skeleton);

// Shown with the page.
void RetentionForm.preload();

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
        Recordings, transcripts and their webhook deliveries are kept{" "}
        <strong>{daysInWords(Number.isFinite(kept) ? kept : 0)}</strong>
        {Number.isFinite(kept) && " after a call ends"}. When a call took place and how long it lasted stays
        in the history.
      </p>
      {isManager && <RetentionForm path={path} retention={retention} onChanged={onChanged} />}
    </section>
  );
}
