import type { TurnLatency } from "./call-view.ts";
import { type LatencyPart, PART_NAMES, partsOf, ticksFor } from "./latency-scale.ts";

/** How many turns are drawn during a call. */
const DRAWN_TURNS = 8;
const ROW_HEIGHT = 30;
const BAR_HEIGHT = 16;
const AXIS_HEIGHT = 22;
const PLOT = { left: 30, width: 240, total: 340 } as const;

interface LatencyChartProps {
  readonly turns: readonly TurnLatency[];
  /** Limit of latest turns drawn; the table has all turns. */
  readonly most?: number;
  /** What the chart measures, in a sentence. */
  readonly about?: string;
}

/** How long the agent took to answer, turn by turn, and where the time went. */
export function LatencyChart({
  turns,
  most = DRAWN_TURNS,
  about = "From your last sound to the agent’s first: the upright line of each turn.",
}: LatencyChartProps) {
  const drawn = turns.slice(-most);
  const ticks = ticksFor(drawn);
  const msToX = (ms: number) => PLOT.left + (ms / (ticks.at(-1) ?? 1)) * PLOT.width;
  const bottom = drawn.length * ROW_HEIGHT;
  return (
    <section className="pf-card talk-latency" aria-labelledby="latency-title">
      <h2 id="latency-title">Response time</h2>
      <p className="pf-muted">{about}</p>
      <ul className="latency-legend" aria-hidden="true">
        {Object.entries(PART_NAMES).map(([key, name]) => (
          <li key={key} className={`latency-${key}`}>
            {name}
          </li>
        ))}
      </ul>
      <svg
        className="latency-chart"
        viewBox={`0 0 ${PLOT.total} ${bottom + AXIS_HEIGHT}`}
        role="img"
        aria-label={drawn.map(describe).join(" ")}
      >
        {ticks.map((ms) => (
          <g key={ms} className="latency-tick">
            <line x1={msToX(ms)} x2={msToX(ms)} y1="0" y2={bottom} />
            <text x={msToX(ms)} y={bottom + 15} textAnchor="middle">
              {tickLabel(ms)}
            </text>
          </g>
        ))}
        {drawn.map((turn, row) => (
          <Bar key={turn.turn} turn={turn} top={row * ROW_HEIGHT} msToX={msToX} />
        ))}
      </svg>
      <LatencyTable turns={turns} />
    </section>
  );
}

interface BarProps {
  readonly turn: TurnLatency;
  readonly top: number;
  readonly msToX: (ms: number) => number;
}

function Bar({ turn, top, msToX }: BarProps) {
  const y = top + (ROW_HEIGHT - BAR_HEIGHT) / 2;
  const middle = top + ROW_HEIGHT / 2 + 4;
  const spans = stack(partsOf(turn));
  const end = Math.max(turn.responseMs, spans.at(-1)?.toMs ?? 0);
  return (
    <g>
      <text className="latency-turn" x="0" y={middle}>
        {turn.turn}
      </text>
      {spans.map(({ key, fromMs, toMs }) => (
        <rect
          key={key}
          className={`latency-${key}`}
          x={msToX(fromMs)}
          y={y}
          width={Math.max(0, msToX(toMs) - msToX(fromMs) - 1)}
          height={BAR_HEIGHT}
          rx="2"
        />
      ))}
      <line
        className="latency-response"
        x1={msToX(turn.responseMs)}
        x2={msToX(turn.responseMs)}
        y1={y - 3}
        y2={y + BAR_HEIGHT + 3}
      />
      <text className="latency-total" x={msToX(end) + 6} y={middle}>
        {Math.round(turn.responseMs)} ms
      </text>
    </g>
  );
}

function LatencyTable({ turns }: { readonly turns: readonly TurnLatency[] }) {
  return (
    <details>
      <summary>Show data table</summary>
      <div className="latency-table">
        <table className="pf-table">
          <caption className="only-heard">Response time of each turn in milliseconds</caption>
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">End of turn</th>
              <th scope="col">Request</th>
              <th scope="col">Brain</th>
              <th scope="col">First clause</th>
              <th scope="col">Voice</th>
              <th scope="col">Response</th>
            </tr>
          </thead>
          <tbody>
            {turns.map((turn) => (
              <tr key={turn.turn}>
                <th scope="row">{turn.turn}</th>
                <td>{Math.round(turn.endOfTurnMs)}</td>
                <td>{Math.round(turn.brainRequestMs)}</td>
                <td>{Math.round(turn.brainFirstTokenMs)}</td>
                <td>{Math.round(turn.firstClauseMs)}</td>
                <td>{Math.round(turn.ttsFirstByteMs)}</td>
                <td>{Math.round(turn.responseMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function stack(parts: readonly LatencyPart[]): { key: LatencyPart["key"]; fromMs: number; toMs: number }[] {
  let fromMs = 0;
  return parts.map(({ key, ms }) => {
    const span = { key, fromMs, toMs: fromMs + ms };
    fromMs += ms;
    return span;
  });
}

function describe(turn: TurnLatency): string {
  const parts = partsOf(turn).map(({ key, ms }) => `${PART_NAMES[key].toLowerCase()} ${ms}`);
  return `Turn ${turn.turn}: response after ${Math.round(turn.responseMs)} milliseconds (${parts.join(", ")}).`;
}

function tickLabel(ms: number): string {
  return ms === 0 ? "0" : `${ms / 1000} s`;
}
