import type { Overview } from "@parley/shared/contracts/analytics.ts";

const DAY_HOURS = 24;
const HEIGHT = 120;
const BAR = 18;
const STEP = 24;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "numeric" });
/** Interval of labeled hours. */
const EVERY = 6;

interface Hour {
  readonly at: Date;
  readonly before: number;
  readonly today: number | undefined;
  readonly failed: number;
}

/** Calls by hour: today's as bars, yesterday's as outlines behind them. */
export function DayChart({ overview: { hours, today, dayBefore } }: { readonly overview: Overview }) {
  const day = hoursOf(hours);
  const most = Math.max(1, ...day.map(({ before, today: now = 0 }) => Math.max(before, now)));
  const hasCalls = day.some(({ before, today: now = 0 }) => before + now > 0);
  const y = (calls: number): number => (calls / most) * HEIGHT;
  return (
    <section className="pf-card panel" aria-labelledby="day-title">
      <div className="row row-spread">
        <h2 id="day-title">Calls by hour</h2>
        <p className="pf-muted day-key">
          <span className="day-key-today" aria-hidden="true" /> Today{" "}
          <span className="day-key-before" aria-hidden="true" /> Yesterday
        </p>
      </div>
      {!hasCalls && <p className="pf-muted">No calls today or yesterday.</p>}
      <svg
        className="day-chart"
        viewBox={`0 0 ${DAY_HOURS * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${today.calls} calls today, ${dayBefore.calls} by this time yesterday; most in an hour: ${most}.`}
      >
        <line x1="0" x2={DAY_HOURS * STEP} y1={HEIGHT} y2={HEIGHT} className="day-line" />
        {day.map(({ at, before, today: now, failed }, index) => (
          <g key={at.getTime()} transform={`translate(${index * STEP} 0)`}>
            <title>{`${hourText(at)}: ${now ?? 0} today, ${failed} failed; ${before} yesterday`}</title>
            <rect x="1" width={BAR + 4} y={HEIGHT - y(before)} height={y(before)} className="day-before" />
            <rect x="3" width={BAR} y={HEIGHT - y(now ?? 0)} height={y(now ?? 0)} className="day-today" />
            <rect x="3" width={BAR} y={HEIGHT - y(failed)} height={y(failed)} className="day-failed" />
          </g>
        ))}
      </svg>
      <div className="day-hours" aria-hidden="true">
        {day.map(
          ({ at }, index) =>
            index % EVERY === 0 && (
              <span key={at.getTime()} style={{ left: `${(index / DAY_HOURS) * 100}%` }}>
                {hourText(at)}
              </span>
            ),
        )}
      </div>
    </section>
  );
}

/** The 24 hours of a day; hours still to come have no figure. */
function hoursOf(hours: Overview["hours"]): Hour[] {
  return hours.slice(0, DAY_HOURS).map(({ at, calls: before }, index) => {
    const now = hours[index + DAY_HOURS];
    return { at: new Date(at), before, today: now?.calls, failed: now?.failed ?? 0 };
  });
}

function hourText(at: Date): string {
  return CLOCK.format(at);
}
