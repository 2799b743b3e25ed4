import type { Billing } from "@parley/shared/contracts/billing.ts";
import { dollars } from "./billing-labels.ts";

/** The balance, and what was spent. */
export function BalanceTiles({ billing }: { readonly billing: Billing }) {
  const { plan, balance, spent } = billing;
  const owned =
    plan === "prepaid"
      ? { name: "Balance", figure: balance.available, note: `${dollars(balance.held)} held for live calls` }
      : { name: "Due", figure: balance.due, note: `${dollars(balance.unbilled)} not invoiced yet` };
  const tiles = [
    owned,
    { name: "Today", figure: spent.today, note: "UTC" },
    { name: "This month", figure: spent.month, note: "UTC, so far" },
    { name: "Forecast", figure: spent.forecast, note: "This month at this rate" },
  ];
  return (
    <ul className="tiles" aria-label="Spending">
      {tiles.map(({ name, figure, note }) => (
        <li key={name} className="pf-card tile">
          <span className="tile-name">{name}</span>
          <p className={figure.startsWith("-") ? "tile-figure tile-bad" : "tile-figure"}>{dollars(figure)}</p>
          <p className="pf-muted tile-note">{note}</p>
        </li>
      ))}
    </ul>
  );
}
