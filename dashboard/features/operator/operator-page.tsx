import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { OrganizationPanel } from "./organization-panel.tsx";
import { PricePanel } from "./price-panel.tsx";
import { TransferTable } from "./transfer-table.tsx";
import { usePrices } from "./use-operator.ts";

/** For the server's operator: organizations, announced bank transfers, prices. */
export function OperatorPage() {
  // Whoever is no operator is told so once.
  const prices = usePrices();
  return (
    <AppPage title="Operator">
      <Loaded of={prices}>
        {() => (
          <>
            <OrganizationPanel />
            <TransferTable />
            <PricePanel />
          </>
        )}
      </Loaded>
    </AppPage>
  );
}
