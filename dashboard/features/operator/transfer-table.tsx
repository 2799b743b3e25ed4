import type { TransferShown } from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { dollars } from "../billing/billing-labels.ts";

interface TransferTableProps {
  readonly transfers: readonly TransferShown[];
  readonly onChanged: () => Promise<void>;
}

/** Announced bank transfers that have not arrived yet. */
export function TransferTable({ transfers, onChanged }: TransferTableProps) {
  if (transfers.length === 0) return null;
  return (
    <TablePanel labelledBy="transfers-title">
      <h2 id="transfers-title">Announced bank transfers</h2>
      <table className="pf-table">
        <TableHead columns={["Reference", "Organization", "Amount", "For", "Announced"]} withActions />
        <tbody>
          {transfers.map((transfer) => (
            <tr key={transfer.id}>
              <th scope="row">{transfer.id}</th>
              <td>{transfer.orgId}</td>
              <td>{dollars(transfer.amount)}</td>
              <td>{transfer.invoiceId === null ? "Balance" : "Invoice"}</td>
              <td>{transfer.announcedAt.slice(0, 10)}</td>
              <td>
                <ReceivedButton id={transfer.id} onChanged={onChanged} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
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
