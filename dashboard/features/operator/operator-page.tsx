import { AppPage } from "../../app/page.tsx";
import { OrganizationPanel } from "./organization-panel.tsx";
import { PricePanel } from "./price-panel.tsx";
import { TransferTable } from "./transfer-table.tsx";

/** For the server's operator: organizations, announced bank transfers, prices. */
export function OperatorPage() {
  return (
    <AppPage title="Operator">
      <OrganizationPanel />
      <TransferTable />
      <PricePanel />
    </AppPage>
  );
}
