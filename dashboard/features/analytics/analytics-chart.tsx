import type { CallAnalytics } from "@parley/shared/contracts/analytics.ts";
import { type Chosen, dayLabel } from "./period.ts";

const WIDTH = 576;
const HEIGHT = 120;
/** The share of its slot a bar fills. */
const BAR_SHARE = 0.75;
/** Roughly how many bars are labeled below. */
const NAMED = 5;

interface ChartProps {
  readonly analytics: CallAnalytics;
  readonly chosen: Chosen;
}

/** Calls by day, or by hour of one day: bars for all calls, with failed ones inside. */
export function AnalyticsChart({ analytics: { points, totals }, chosen }: ChartProps) {
  const most = Math.max(1, ...points.map(({ calls }) => calls));
  const step = WIDTH / Math.max(1, points.length);
  const y = (calls: number): number => (calls / most) * HEIGHT;
  const every = Math.max(1, Math.ceil(points.length / NAMED));
  const by = chosen.days === 1 ? "hour" : "day";
  return (
    <section className="pf-card panel" aria-labelledby="chart-title">
      <h2 id="chart-title">Calls by {by}</h2>
      {totals.calls === 0 && <p className="pf-muted">No calls in this period.</p>}
      <svg
        className="day-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${totals.calls} calls, ${totals.failed} of them failed; most in one ${by}: ${most}.`}
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="day-line" />
        {points.map(({ at, calls, failed }, index) => (
          <g key={at} transform={`translate(${index * step} 0)`}>
            <title>{`${nameOf(at, chosen.days)}: ${calls} calls, ${failed} failed`}</title>
            <rect width={step * BAR_SHARE} y={HEIGHT - y(calls)} height={y(calls)} className="day-today" />
            <rect width={step * BAR_SHARE} y={HEIGHT - y(failed)} height={y(failed)} className="day-failed" />
          </g>
        ))}
      </svg>
      <div className="day-hours" aria-hidden="true">
        {points.map(
          ({ at }, index) =>
            index % every === 0 && (
              <span key={at} style={{ left: `${(index / points.length) * 100}%` }}>
                {nameOf(at, chosen.days)}
              </span>
            ),
        )}
      </div>
    </section>
  );
}

function nameOf(at: string, days: number): string {
  const date = new Date(at);
  return days === 1 ? `${String(date.getHours()).padStart(2, "0")}:00` : dayLabel(date);
}
