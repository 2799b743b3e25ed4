import type { OperatedOrganization } from "@parley/shared/contracts/operator.ts";
import { useState } from "react";
import { later } from "../../ui/later.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, TextFilter } from "../../ui/table/filters.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { dollars } from "../billing/billing-labels.ts";
import { useOrganizations, useReadOrganizations } from "./use-operator.ts";

const CreditDialog = later(async () => (await import("./organization-dialogs.tsx")).CreditDialog);
const PlanDialog = later(async () => (await import("./organization-dialogs.tsx")).PlanDialog);

type Asked = { readonly what: "plan" | "credit"; readonly organization: OperatedOrganization };

const PLANS: Readonly<Record<OperatedOrganization["plan"], string>> = {
  prepaid: "Prepaid",
  postpaid: "Postpaid",
};
const STATES: Readonly<Record<OperatedOrganization["state"], string>> = {
  active: "Active",
  suspended: "Suspended",
};

const COLUMNS: readonly Column<OperatedOrganization>[] = [
  {
    id: "organization",
    name: "Organization",
    look: "long",
    text: ({ name }) => name,
    cell: ({ name }) => name,
  },
  { id: "id", name: "ID", look: "long", text: ({ id }) => id, cell: ({ id }) => id },
  { id: "plan", name: "Plan", text: ({ plan }) => PLANS[plan], cell: ({ plan }) => PLANS[plan] },
  { id: "state", name: "Status", text: ({ state }) => STATES[state], cell: ({ state }) => STATES[state] },
  {
    id: "balance",
    name: "Balance",
    look: "number",
    text: ({ balance }) => Number(balance),
    cell: ({ balance }) => dollars(balance),
  },
  {
    id: "owed",
    name: "Owed",
    look: "number",
    text: ({ owed }) => Number(owed),
    cell: ({ owed }) => dollars(owed),
  },
];

/** Organizations with their balances; the operator can credit each, or change its plan. */
export function OrganizationPanel() {
  const [params] = useSearchParams();
  const search = params.get("search") ?? "";
  const [asked, setAsked] = useState<Asked>();
  const loaded = useOrganizations(search, params.get("before") ?? "");
  const readAll = useReadOrganizations(search);
  const close = (): void => setAsked(undefined);
  const changed = async (): Promise<void> => {
    close();
    await loaded.reload();
  };
  return (
    <ListSection title="Organizations">
      <DataTable
        name="organizations"
        label="List of organizations"
        columns={COLUMNS}
        rows={loaded.data?.organizations}
        of={loaded}
        rowId={({ id }) => id}
        filters={
          <FilterBar>
            <TextFilter label="Name or ID" name="search" />
          </FilterBar>
        }
        readAll={readAll}
        empty={<p>No organization has that name or id.</p>}
        pager={<CursorPager next={loaded.data?.next ?? null} />}
        actions={(organization) => (
          <div className="row cell-buttons">
            <button
              type="button"
              className="pf-btn"
              onClick={() => setAsked({ what: "credit", organization })}
            >
              Credit<span className="only-heard">{` ${organization.name}`}</span>
            </button>
            <button type="button" className="pf-btn" onClick={() => setAsked({ what: "plan", organization })}>
              Plan<span className="only-heard">{` of ${organization.name}`}</span>
            </button>
          </div>
        )}
      />
      {asked?.what === "plan" && (
        <PlanDialog organization={asked.organization} onDone={changed} onClose={close} />
      )}
      {asked?.what === "credit" && (
        <CreditDialog organization={asked.organization} onDone={changed} onClose={close} />
      )}
    </ListSection>
  );
}
