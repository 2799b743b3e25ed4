import type { OperatedOrganization } from "@parley/shared/contracts/operator.ts";
import { useState } from "react";
import { Field } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { dollars } from "../billing/billing-labels.ts";
import { CreditDialog, PlanDialog } from "./organization-dialogs.tsx";
import { useOrganizations } from "./use-operator.ts";

type Asked = { readonly what: "plan" | "credit"; readonly organization: OperatedOrganization };

/** Organizations with their balances; the operator can credit each, or change its plan. */
export function OrganizationPanel() {
  const [search, setSearch] = useState("");
  const [after, setAfter] = useState("");
  const [asked, setAsked] = useState<Asked>();
  const organizations = useOrganizations(search, after);
  const close = (): void => setAsked(undefined);
  const changed = async (): Promise<void> => {
    close();
    await organizations.reload();
  };
  return (
    <TablePanel labelledBy="organizations-title">
      <h2 id="organizations-title">Organizations</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setAfter("");
          setSearch(textOf(new FormData(event.currentTarget), "search"));
        }}
      >
        <Field label="Name or id" name="search" type="search" />
        <div className="row">
          <button type="submit" className="pf-btn">
            Search
          </button>
        </div>
      </form>
      <Loaded of={organizations}>
        {(shown) => (
          <>
            <OrganizationTable organizations={shown.organizations} onAsked={setAsked} />
            <div className="row">
              {after !== "" && (
                <button type="button" className="pf-btn" onClick={() => setAfter("")}>
                  First page
                </button>
              )}
              {shown.next !== null && (
                <button type="button" className="pf-btn" onClick={() => setAfter(shown.next ?? "")}>
                  Next page
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {asked?.what === "plan" && (
        <PlanDialog organization={asked.organization} onDone={changed} onClose={close} />
      )}
      {asked?.what === "credit" && (
        <CreditDialog organization={asked.organization} onDone={changed} onClose={close} />
      )}
    </TablePanel>
  );
}

interface OrganizationTableProps {
  readonly organizations: readonly OperatedOrganization[];
  readonly onAsked: (asked: Asked) => void;
}

function OrganizationTable({ organizations, onAsked }: OrganizationTableProps) {
  if (organizations.length === 0) return <p className="pf-muted">No organization has that name or id.</p>;
  return (
    <table className="pf-table">
      <TableHead columns={["Organization", "Id", "Plan", "Status", "Balance", "Owed"]} withActions />
      <tbody>
        {organizations.map((organization) => (
          <tr key={organization.id}>
            <th scope="row">{organization.name}</th>
            <td>{organization.id}</td>
            <td>{organization.plan === "prepaid" ? "Prepaid" : "Postpaid"}</td>
            <td>{organization.state === "active" ? "Active" : "Suspended"}</td>
            <td>{dollars(organization.balance)}</td>
            <td>{dollars(organization.owed)}</td>
            <td>
              <div className="row">
                <button
                  type="button"
                  className="pf-btn"
                  onClick={() => onAsked({ what: "credit", organization })}
                >
                  Credit<span className="only-heard">{` ${organization.name}`}</span>
                </button>
                <button
                  type="button"
                  className="pf-btn"
                  onClick={() => onAsked({ what: "plan", organization })}
                >
                  Plan<span className="only-heard">{` of ${organization.name}`}</span>
                </button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
