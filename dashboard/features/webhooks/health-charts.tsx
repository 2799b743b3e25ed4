import { type Counts, missedOf, successRate } from "@parley/shared/contracts/endpoint-state.ts";
import { useId } from "react";
import { ChartFrame, type Scale } from "./chart-frame.tsx";
import { countText, msText, RANGE_NAMES, type Range, rateText } from "./health-labels.ts";
import { axisEnd, type HealthPoint } from "./health-points.ts";

/** Below BAD_RATE most deliveries are lost; below GOOD_RATE, some. */
const BAD_RATE = 0.5;
const GOOD_RATE = 0.99;

interface ChartProps {
  readonly points: readonly HealthPoint[];
  readonly range: Range;
}

/** Deliveries raised, by outcome: solid bars succeeded, hatched ones failed, outlined ones are waiting. */
export function CountChart({ points, range }: ChartProps) {
  const hatch = useId();
  const most = axisEnd(Math.max(...points.map(raisedOf)));
  const ticks = [0, ...(most % 2 === 0 ? [most / 2] : []), most];
  return (
    <ChartFrame
      title="Deliveries"
      summary={`Deliveries over the ${RANGE_NAMES[range]}, at most ${Math.max(...points.map(raisedOf))} at a time.`}
      points={points}
      range={range}
      ticks={ticks.map((value) => ({ value, label: compact(value) }))}
      describe={countsText}
      legend={
        <Legend
          items={[
            ["through", "delivered"],
            ["missed", "failed"],
            ["waiting", "pending"],
          ]}
        />
      }
    >
      {(scale) => (
        <>
          <Hatch id={hatch} />
          {points.map((point, index) => (
            <Stack key={point.atMs} point={point} index={index} scale={scale} hatch={hatch} />
          ))}
        </>
      )}
    </ChartFrame>
  );
}

export function RateChart({ points, range }: ChartProps) {
  const rates = points.map(successRate);
  const known = rates.filter((rate) => rate !== undefined);
  const lowest = known.length === 0 ? undefined : Math.min(...known);
  return (
    <ChartFrame
      title="Success rate"
      summary={`Success rate over the ${RANGE_NAMES[range]}, ${rateText(lowest)} at the lowest.`}
      points={points}
      range={range}
      ticks={[0, 0.5, 1].map((value) => ({ value, label: rateText(value) }))}
      describe={(point) => `${rateText(successRate(point))} (${countsText(point)})`}
    >
      {(scale) => <Line values={rates} scale={scale} look="rate" toneOf={rateTone} />}
    </ChartFrame>
  );
}

export function LatencyChart({ points, range }: ChartProps) {
  const longest = axisEnd(Math.max(...points.map(({ p95Ms }) => p95Ms ?? 0)));
  return (
    <ChartFrame
      title="Response time"
      summary={`Response time over the ${RANGE_NAMES[range]}, up to ${msText(longest)}.`}
      points={points}
      range={range}
      ticks={[0, longest / 2, longest].map((value) => ({ value, label: msText(value) }))}
      describe={({ p50Ms, p95Ms }) => `p50 ${msText(p50Ms)}, p95 ${msText(p95Ms)}`}
      legend={
        <Legend
          items={[
            ["p50", "p50"],
            ["p95", "p95"],
          ]}
        />
      }
    >
      {(scale) => (
        <>
          <Line values={points.map(({ p95Ms }) => p95Ms ?? undefined)} scale={scale} look="p95" />
          <Line values={points.map(({ p50Ms }) => p50Ms ?? undefined)} scale={scale} look="p50" />
        </>
      )}
    </ChartFrame>
  );
}

/** The pattern for failures, so that color is not the only cue. */
export function Hatch({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="hook-hatch-ground" width="4" height="4" />
        <rect className="hook-hatch-stripe" width="1.6" height="4" />
      </pattern>
    </defs>
  );
}

interface StackProps {
  readonly point: HealthPoint;
  readonly index: number;
  readonly scale: Scale;
  readonly hatch: string;
}

function Stack({ point, index, scale, hatch }: StackProps) {
  const width = Math.max(1, scale.stepWidth - 1);
  const left = scale.x(index) - width / 2;
  const heightOf = (count: number): number => scale.bottom - scale.y(count);
  const [through, missed, waiting] = [
    heightOf(point.delivered),
    heightOf(missedOf(point)),
    heightOf(point.pending),
  ];
  const top = scale.bottom - through - missed;
  return (
    <>
      <rect className="hook-through" x={left} y={scale.bottom - through} width={width} height={through} />
      <rect x={left} y={top} width={width} height={missed} fill={`url(#${hatch})`} />
      {waiting > 0 && (
        <rect className="hook-waiting" x={left} y={top - waiting} width={width} height={waiting} />
      )}
    </>
  );
}

interface LineProps {
  readonly values: readonly (number | undefined)[];
  readonly scale: Scale;
  readonly look: "rate" | "p50" | "p95";
  /** The color of a value's dot; undefined keeps the line's. */
  readonly toneOf?: (value: number | undefined) => string | undefined;
}

/** Colors a rate by severity; the height shows the amount. */
function rateTone(rate: number | undefined): string | undefined {
  if (rate === undefined) return undefined;
  if (rate < BAD_RATE) return "hook-dot-bad";
  return rate < GOOD_RATE ? "hook-dot-warn" : undefined;
}

/** A line through known values; an isolated value becomes a dot. */
function Line({ values, scale, look, toneOf }: LineProps) {
  const known = values.flatMap((value, index) =>
    value === undefined ? [] : [{ index, x: scale.x(index), y: scale.y(value) }],
  );
  const path = known.map(
    ({ index, x, y }, i) => `${i > 0 && known[i - 1]?.index === index - 1 ? "L" : "M"}${x} ${y}`,
  );
  return (
    <g className={`hook-line hook-line-${look}`}>
      <path d={path.join("")} />
      {known.map(({ index, x, y }) =>
        look === "p95" ? (
          <rect key={index} x={x - 1.75} y={y - 1.75} width="3.5" height="3.5" />
        ) : (
          <circle key={index} className={toneOf?.(values[index])} cx={x} cy={y} r="2.25" />
        ),
      )}
    </g>
  );
}

function Legend({ items }: { readonly items: readonly (readonly [look: string, name: string])[] }) {
  return (
    <span className="hook-legend" aria-hidden="true">
      {items.map(([look, name]) => (
        <span key={look} className={`hook-legend-${look}`}>
          {name}
        </span>
      ))}
    </span>
  );
}

/** A bucket's counts, in words. */
export function countsText(counts: Counts): string {
  const words = [
    [counts.delivered, "delivered"],
    [counts.failed, "retrying"],
    [counts.dead, "failed"],
    [counts.pending, "pending"],
  ] as const;
  const said = words.filter(([count]) => count > 0).map(([count, word]) => `${countText(count)} ${word}`);
  return said.length === 0 ? "nothing was raised" : said.join(", ");
}

function raisedOf(counts: Counts): number {
  return counts.delivered + missedOf(counts) + counts.pending;
}

function compact(count: number): string {
  return count >= 1_000 ? `${count / 1_000}k` : String(count);
}
