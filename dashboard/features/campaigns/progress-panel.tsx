import type { Outcome } from "@parley/shared/contracts/campaign-states.ts";
import type { Campaign, CampaignProgress, TargetCounts } from "@parley/shared/contracts/campaigns.ts";
import { minutesText, OUTCOME_NAMES, percentText } from "./campaign-labels.ts";

interface ProgressProps {
  readonly campaign: Campaign;
  readonly progress: CampaignProgress;
}

/** A campaign's progress, results and cost. */
export function ProgressPanel({ campaign, progress }: ProgressProps) {
  const { targets } = campaign;
  const { dialed, answered, live, talkSecs, cost } = progress;
  const tiles = [
    ["People", `${targets.done} of ${targets.total}`, `done, ${targets.waiting} left`],
    ["Calls", String(dialed), live === 0 ? "none live" : `${live} live`],
    ["Answer rate", percentText(answered, dialed), `${answered} answered`],
    ["Talk", minutesText(talkSecs), "minutes"],
    ["Cost", `$${Number(cost).toFixed(2)}`, "of ended calls"],
  ] as const;
  return (
    <>
      <Tiles tiles={tiles} />
      {targets.total > 0 && <Outcomes targets={targets} busy="Being called" />}
      {progress.hours.length > 0 && <HourChart progress={progress} />}
    </>
  );
}

interface TilesProps {
  readonly tiles: readonly (readonly [name: string, figure: string, note: string])[];
}

export function Tiles({ tiles }: TilesProps) {
  return (
    <ul className="tiles" aria-label="How it goes">
      {tiles.map(([name, figure, note]) => (
        <li key={name} className="pf-card campaign-tile">
          <span className="pf-muted">{name}</span>
          <strong>{figure}</strong>
          <span className="pf-muted">{note}</span>
        </li>
      ))}
    </ul>
  );
}

interface OutcomesProps {
  readonly targets: TargetCounts;
  /** What those are called whose turn it is. */
  readonly busy: string;
}

export function Outcomes({ targets, busy }: OutcomesProps) {
  const rows = Object.entries(OUTCOME_NAMES).flatMap(([outcome, name]) => {
    const count = targets.outcomes[outcome as Outcome] ?? 0;
    return count === 0 ? [] : [{ name, count }];
  });
  const all = [
    ...rows,
    ...(targets.calling > 0 ? [{ name: busy, count: targets.calling }] : []),
    ...(targets.waiting > 0 ? [{ name: "Waiting", count: targets.waiting }] : []),
  ];
  return (
    <section className="pf-card panel" aria-labelledby="outcomes-title">
      <h2 id="outcomes-title">Outcomes</h2>
      <dl className="campaign-outcomes">
        {all.map(({ name, count }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <meter min={0} max={targets.total} value={count} aria-label={name} />
              {count} <span className="pf-muted">{percentText(count, targets.total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const HEIGHT = 100;
const STEP = 26;
const BAR = 20;
const AXIS = 18;
/** How many hours fit on a page. */
const SHOWN = 36;
const LABELED = 6;

/** Calls by hour, and how many were answered. */
function HourChart({ progress }: Pick<ProgressProps, "progress">) {
  const hours = progress.hours.slice(-SHOWN);
  const most = Math.max(1, ...hours.map(({ dialed }) => dialed));
  const y = (calls: number): number => (calls / most) * HEIGHT;
  const best = hours.reduce((one, other) => (rateOf(other) > rateOf(one) ? other : one));
  const said = `Best hour: ${hourText(best.at)}, ${percentText(best.answered, best.dialed)} of ${best.dialed} calls answered.`;
  return (
    <section className="pf-card panel" aria-labelledby="hours-title">
      <div className="row row-spread">
        <h2 id="hours-title">Answers by hour</h2>
        <p className="pf-muted">{said}</p>
      </div>
      <svg
        className="campaign-hours"
        preserveAspectRatio="xMinYMid"
        viewBox={`0 0 ${Math.max(hours.length, LABELED * 2) * STEP} ${HEIGHT + AXIS}`}
        role="img"
        aria-label={said}
      >
        {hours.map((hour, index) => (
          <g key={hour.at} transform={`translate(${index * STEP} 0)`}>
            <title>{`${hourText(hour.at)}: ${hour.dialed} calls, ${hour.answered} answered`}</title>
            <rect
              width={BAR}
              y={HEIGHT - y(hour.dialed)}
              height={y(hour.dialed)}
              className="campaign-dialed"
            />
            <rect
              width={BAR}
              y={HEIGHT - y(hour.answered)}
              height={y(hour.answered)}
              className="campaign-answered"
            />
            {index % LABELED === 0 && (
              <text y={HEIGHT + AXIS - 4} className="campaign-hour">
                {hourText(hour.at)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </section>
  );
}

function rateOf({ dialed, answered }: CampaignProgress["hours"][number]): number {
  return answered / dialed;
}

const HOUR = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });

function hourText(at: string): string {
  return HOUR.format(new Date(at));
}
