import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { OrganizationPanel } from "./organization-panel.tsx";
import { PricePanel } from "./price-panel.tsx";
import { TransferTable } from "./transfer-table.tsx";
import { usePrices, useTransfers } from "./use-operator.ts";

/** For the server's operator: organizations, announced bank transfers, prices. */
export function OperatorPage() {
  const prices = usePrices();
  const transfers = useTransfers();
  return (
    <AppPage title="Operator">
      <OrganizationPanel />
      <Loaded of={transfers}>
        {(shown) => <TransferTable transfers={shown.transfers} onChanged={transfers.reload} />}
      </Loaded>
      <Loaded of={prices}>{(shown) => <PricePanel prices={shown.prices} onChanged={prices.reload} />}</Loaded>
    </AppPage>
  );
}
