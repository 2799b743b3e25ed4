import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, Skeleton } from "../../ui/loaded.tsx";
import { BalanceTiles } from "./balance-tiles.tsx";
import { InvoiceTable } from "./invoice-table.tsx";
import { LimitPanel } from "./limit-panel.tsx";
import { RenewalTable } from "./renewal-table.tsx";
import { UsagePanel } from "./usage-panel.tsx";
import { useBilling, usePayments } from "./use-billing.ts";

const AutoTopUpPanel = later(async () => (await import("./auto-top-up-panel.tsx")).AutoTopUpPanel, Skeleton);
const TopUpPanel = later(async () => (await import("./top-up-panel.tsx")).TopUpPanel, Skeleton);

// Shown with the page.
void AutoTopUpPanel.preload();
void TopUpPanel.preload();

/** What the organization pays: balance, spending, limits, renewals and invoices. */
export function BillingPage() {
  const billing = useBilling();
  const payments = usePayments();
  return (
    <AppPage title="Billing">
      <Loaded of={billing}>
        {(shown) => (
          <>
            {shown.state === "suspended" && (
              <p role="alert" className="pf-card panel">
                This account is suspended: new calls are refused until overdue invoices are paid.
              </p>
            )}
            {!shown.isOn && (
              <p className="pf-muted">
                Billing is off on this server. Usage is counted, and nothing is charged.
              </p>
            )}
            <BalanceTiles billing={shown} />
            {shown.isOn && shown.plan === "prepaid" && (
              <Loaded of={payments}>
                {({ provider, autoTopUp }) => (
                  <>
                    <TopUpPanel hasCards={provider === "stripe"} onBegun={payments.reload} />
                    {autoTopUp.hasMethod && (
                      <AutoTopUpPanel autoTopUp={autoTopUp} onChanged={payments.reload} />
                    )}
                  </>
                )}
              </Loaded>
            )}
            <LimitPanel limits={shown.limits} onChanged={billing.reload} />
          </>
        )}
      </Loaded>
      <UsagePanel />
      <RenewalTable />
      <InvoiceTable />
    </AppPage>
  );
}
