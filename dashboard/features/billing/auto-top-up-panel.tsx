import type { AutoTopUpShown } from "@parley/shared/contracts/payments.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";

interface AutoTopUpPanelProps {
  readonly autoTopUp: AutoTopUpShown;
  readonly onChanged: () => Promise<void>;
}

/** When the balance is topped up automatically, and by how much. */
export function AutoTopUpPanel({ autoTopUp, onChanged }: AutoTopUpPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const put = async (wanted: { readonly below: string; readonly amount: string } | null): Promise<void> => {
    const path = `/api/orgs/${org.id}/billing/auto-top-up`;
    await session.call(path, { method: "PUT", orgId: org.id, body: { autoTopUp: wanted } });
    await onChanged();
  };
  const save = useSubmit((fields) =>
    put({ below: textOf(fields, "below"), amount: textOf(fields, "amount") }),
  );
  const turnOff = useSubmit(() => put(null));
  const { below, amount, pausedFor } = autoTopUp;
  const problem = save.problem ?? turnOff.problem;
  return (
    <section className="pf-card panel" aria-labelledby="auto-top-up-title">
      <h2 id="auto-top-up-title">Automatic top-up</h2>
      {pausedFor !== null && <Problem>{`Paused: ${pausedFor} Save again to resume.`}</Problem>}
      <form className="stack" onSubmit={save.onSubmit}>
        <Field
          label="When the balance is below"
          name="below"
          inputMode="decimal"
          defaultValue={below ?? "10"}
          required
        />
        <Field label="Add" name="amount" inputMode="decimal" defaultValue={amount ?? "25"} required />
        {problem && <Problem>{problem}</Problem>}
        <div className="row">
          <button type="submit" className="pf-btn" disabled={save.isBusy}>
            Save
          </button>
          {below !== null && (
            <button
              type="button"
              className="pf-btn"
              disabled={turnOff.isBusy}
              onClick={() => void turnOff.run()}
            >
              Turn off
            </button>
          )}
        </div>
      </form>
    </section>
  );
}
