import type { Billing } from "@parley/shared/contracts/billing.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { dollars } from "./billing-labels.ts";
import { type LimitScope, useLimitScopes } from "./use-limit-scopes.ts";

interface LimitPanelProps {
  readonly limits: Billing["limits"];
  readonly onChanged: () => Promise<void>;
}

/** Spending limits, and a form to add one for the organization, an agent or a key. */
export function LimitPanel({ limits, onChanged }: LimitPanelProps) {
  const scopes = useLimitScopes();
  return (
    <TablePanel labelledBy="limits-title">
      <h2 id="limits-title">Spending limits</h2>
      {limits.length > 0 && <LimitTable limits={limits} scopes={scopes} onChanged={onChanged} />}
      <LimitForm scopes={scopes} onChanged={onChanged} />
    </TablePanel>
  );
}

function LimitTable({
  limits,
  scopes,
  onChanged,
}: LimitPanelProps & { readonly scopes: readonly LimitScope[] }) {
  const nameOf = (value: string): string => scopes.find((one) => one.value === value)?.label ?? value;
  return (
    <table className="pf-table">
      <TableHead columns={["Applies to", "Period", "When reached", "Limit", "Spent"]} withActions />
      <tbody>
        {limits.map(({ id, scope, scopeId, period, kind, amount, spent }) => (
          <tr key={id}>
            <th scope="row">{scope === "organization" ? "Organization" : nameOf(`${scope} ${scopeId}`)}</th>
            <td>{period === "day" ? "Day" : "Month"}</td>
            <td>{kind === "hard" ? "New calls are refused" : "Owners get an email"}</td>
            <td>{dollars(amount)}</td>
            <td>{dollars(spent)}</td>
            <td>
              <DeleteLimit id={id} amount={amount} onChanged={onChanged} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
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

function LimitForm({
  scopes,
  onChanged,
}: Pick<LimitPanelProps, "onChanged"> & { readonly scopes: readonly LimitScope[] }) {
  const session = useSession();
  const { org } = useHere();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const [of, period, kind, amount] = ["of", "period", "kind", "amount"].map((name) => textOf(fields, name));
    const [scope = "", scopeId = ""] = of?.split(" ") ?? [];
    const body = { scope, scopeId, period, kind, amount };
    await session.call(`/api/orgs/${org.id}/billing/limits`, { method: "PUT", orgId: org.id, body });
    await onChanged();
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <ChoiceField label="Applies to" name="of">
        <option value="organization">Organization</option>
        {scopes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </ChoiceField>
      <Field label="Limit (US dollars)" name="amount" inputMode="decimal" required />
      <ChoiceField label="Period" name="period">
        <option value="day">Day</option>
        <option value="month">Month</option>
      </ChoiceField>
      <ChoiceField label="When reached" name="kind">
        <option value="hard">Refuse new calls</option>
        <option value="soft">Email the owners</option>
      </ChoiceField>
      {problem && <Problem>{problem}</Problem>}
      <div className="row">
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Set limit
        </button>
      </div>
    </form>
  );
}
