import { successRate } from "@parley/shared/contracts/endpoint-state.ts";
import type { WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { TableHead } from "../../ui/table-panel.tsx";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { CountChart, LatencyChart, RateChart } from "./health-charts.tsx";
import { countText, momentText, msText, type Range, rateText } from "./health-labels.ts";
import { type HealthPoint, healthOf, pointsOf } from "./health-points.ts";

const RANGES = [
  { value: "hour", name: "Hour" },
  { value: "day", name: "Day" },
  { value: "week", name: "Week" },
] as const;

interface RangeChoiceProps {
  readonly range: Range;
  readonly onChoose: (range: Range) => void;
}

export function RangeChoice({ range, onChoose }: RangeChoiceProps) {
  return <ChoiceBar label="Time range" options={RANGES} chosen={range} onChoose={onChoose} />;
}

interface HealthPanelProps extends RangeChoiceProps {
  readonly id: string;
  /** Undefined while it loads. */
  readonly health: WebhookHealth | undefined;
}

/** An endpoint's delivery statistics: figures, charts and, on request, all numbers. */
export function HealthPanel({ id, health, range, onChoose }: HealthPanelProps) {
  const counts = health && healthOf(health, id);
  const points = health ? pointsOf(health, id) : [];
  const raised = points.filter(
    ({ delivered, failed, dead, pending }) => delivered + failed + dead + pending > 0,
  );
  return (
    <section className="pf-card panel" aria-labelledby="health-title">
      <div className="row row-spread">
        <h2 id="health-title">Health</h2>
        <RangeChoice range={range} onChoose={onChoose} />
      </div>
      {counts && (
        <dl className="hook-figures">
          <Figure name="Success rate" value={rateText(successRate(counts))} />
          <Figure name="Delivered" value={countText(counts.delivered)} />
          <Figure name="Retrying" value={countText(counts.failed)} />
          <Figure name="Failed" value={countText(counts.dead)} />
          <Figure name="Pending" value={countText(counts.pending)} />
          <Figure name="p50" value={msText(counts.p50Ms)} />
          <Figure name="p95" value={msText(counts.p95Ms)} />
        </dl>
      )}
      {health && raised.length === 0 && <p className="pf-muted">No events in this period.</p>}
      {raised.length > 0 && (
        <>
          <div className="hook-charts">
            <CountChart points={points} range={range} />
            <RateChart points={points} range={range} />
            <LatencyChart points={points} range={range} />
          </div>
          <Numbers points={raised} range={range} />
        </>
      )}
    </section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Numbers({ points, range }: { readonly points: readonly HealthPoint[]; readonly range: Range }) {
  const panel = useKeyboardScroll<HTMLElement>();
  return (
    <details>
      <summary>Show data table</summary>
      <section ref={panel} className="hook-numbers table-scroll" aria-label="Numbers over time">
        <table className="pf-table">
          <TableHead
            columns={["From", "Success rate", "Delivered", "Retrying", "Failed", "Pending", "p50", "p95"]}
          />
          <tbody>
            {points.toReversed().map((point) => (
              <tr key={point.atMs}>
                <th scope="row">{momentText(point.atMs, range)}</th>
                <td>{rateText(successRate(point))}</td>
                <td>{countText(point.delivered)}</td>
                <td>{countText(point.failed)}</td>
                <td>{countText(point.dead)}</td>
                <td>{countText(point.pending)}</td>
                <td>{msText(point.p50Ms)}</td>
                <td>{msText(point.p95Ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
