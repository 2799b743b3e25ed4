import type { TransferShown } from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { dayName } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { dollars } from "../billing/billing-labels.ts";
import { useTransfers } from "./use-operator.ts";

const forWhat = ({ invoiceId }: TransferShown): string => (invoiceId === null ? "Balance" : "Invoice");

const COLUMNS: readonly Column<TransferShown>[] = [
  { id: "reference", name: "Reference", look: "long", text: ({ id }) => id, cell: ({ id }) => id },
  {
    id: "payer",
    name: "Organization",
    look: "long",
    sorts: true,
    text: ({ orgName }) => orgName,
    cell: ({ orgName }) => orgName,
  },
  {
    id: "payer-id",
    name: "Organization ID",
    look: "long",
    text: ({ orgId }) => orgId,
    cell: ({ orgId }) => orgId,
  },
  {
    id: "amount",
    name: "Amount",
    look: "number",
    sorts: true,
    text: ({ amount }) => Number(amount),
    cell: ({ amount }) => dollars(amount),
  },
  { id: "for", name: "For", sorts: true, text: forWhat, cell: forWhat },
  {
    id: "announced",
    name: "Announced",
    sorts: true,
    text: ({ announcedAt }) => announcedAt.slice(0, 10),
    cell: ({ announcedAt }) => dayName(announcedAt),
  },
];

/** Announced bank transfers that have not arrived yet; nothing while there are none. */
export function TransferTable() {
  const loaded = useTransfers();
  if (loaded.data?.transfers.length === 0) return null;
  return (
    <ListSection title="Announced bank transfers">
      <DataTable
        name="transfers"
        label="List of transfers"
        columns={COLUMNS}
        rows={loaded.data?.transfers}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={null}
        actions={({ id }) => <ReceivedButton id={id} onChanged={loaded.reload} />}
      />
    </ListSection>
  );
}

function ReceivedButton({ id, onChanged }: { readonly id: string; readonly onChanged: () => Promise<void> }) {
  const session = useSession();
  const { run, isBusy, problem } = useSubmit(async () => {
    await session.call(`/api/operator/transfers/${id}/received`, { method: "POST" });
    await onChanged();
  });
  return (
    <>
      <button type="button" className="pf-btn" disabled={isBusy} onClick={() => void run()}>
        Mark received<span className="only-heard">{` ${id}`}</span>
      </button>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
