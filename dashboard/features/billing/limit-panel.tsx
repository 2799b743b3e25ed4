import type { Billing } from "@parley/shared/contracts/billing.ts";
import { useMemo } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { dollars } from "./billing-labels.ts";
import { type LimitScope, useLimitScopes } from "./use-limit-scopes.ts";

const LimitForm = later(async () => (await import("./limit-form.tsx")).LimitForm, Skeleton);

// Shown with the page.
void LimitForm.preload();

interface LimitPanelProps {
  readonly limits: Billing["limits"];
  readonly onChanged: () => Promise<void>;
}

/** Spending limits, and a form to add one for the organization, an agent or a key. */
export function LimitPanel({ limits, onChanged }: LimitPanelProps) {
  const scopes = useLimitScopes();
  const columns = useMemo(() => limitColumns(scopes), [scopes]);
  return (
    <ListSection title="Spending limits">
      <DataTable
        name="spending-limits"
        label="List of spending limits"
        columns={columns}
        rows={limits}
        of={LOADED}
        rowId={({ id }) => id}
        empty={<p>No spending limits yet. Add one below to be warned, or to refuse new calls.</p>}
        actions={({ id, amount }) => <DeleteLimit id={id} amount={amount} onChanged={onChanged} />}
      />
      <div className="pf-card panel">
        <h3>Add a limit</h3>
        <LimitForm scopes={scopes} onChanged={onChanged} />
      </div>
    </ListSection>
  );
}

type Limit = Billing["limits"][number];

/** They are part of the billing page's figures, which are there already. */
const LOADED = { problem: undefined, isLoading: false, reload: async () => undefined };

function limitColumns(scopes: readonly LimitScope[]): readonly Column<Limit>[] {
  const scopeText = ({ scope, scopeId }: Limit): string => {
    const value = `${scope} ${scopeId}`;
    return scope === "organization"
      ? "Organization"
      : (scopes.find((one) => one.value === value)?.label ?? value);
  };
  const periodText = ({ period }: Limit): string => (period === "day" ? "Day" : "Month");
  const kindText = ({ kind }: Limit): string =>
    kind === "hard" ? "New calls and messages are refused" : "Owners get an email";
  return [
    { id: "scope", name: "Applies to", look: "long", text: scopeText, cell: scopeText },
    { id: "period", name: "Period", text: periodText, cell: periodText },
    { id: "kind", name: "When reached", look: "long", text: kindText, cell: kindText },
    {
      id: "limit",
      name: "Limit",
      look: "number",
      text: ({ amount }) => Number(amount),
      cell: ({ amount }) => dollars(amount),
    },
    {
      id: "spent",
      name: "Spent",
      look: "number",
      text: ({ spent }) => Number(spent),
      cell: ({ spent }) => dollars(spent),
    },
  ];
}

interface DeleteLimitProps {
  readonly id: string;
  readonly amount: string;
  readonly onChanged: () => Promise<void>;
}

function DeleteLimit({ id, amount, onChanged }: DeleteLimitProps) {
  const session = useSession();
  const { org } = useHere();
  const { run, isBusy, problem } = useSubmit(async () => {
    const path = `/api/orgs/${org.id}/billing/limits/${id}`;
    await session.call(path, { method: "DELETE", orgId: org.id });
    await onChanged();
  });
  return (
    <>
      <button type="button" className="pf-btn" disabled={isBusy} onClick={() => void run()}>
        Delete<span className="only-heard">{` the limit of ${dollars(amount)}`}</span>
      </button>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
