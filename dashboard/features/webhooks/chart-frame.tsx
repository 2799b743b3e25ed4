import type { ReactNode } from "react";
import { momentText, type Range, tickText } from "./health-labels.ts";
import type { HealthPoint } from "./health-points.ts";

const SIZE = { width: 300, height: 132 } as const;
const PLOT = { left: 52, right: 298, top: 8, bottom: 108 } as const;
const X_LABELS = 4;

export interface Scale {
  /** The center of a time bucket. */
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  readonly stepWidth: number;
  readonly bottom: number;
}

interface ChartFrameProps {
  readonly title: string;
  /** Describes the chart in a sentence. */
  readonly summary: string;
  readonly points: readonly HealthPoint[];
  readonly range: Range;
  /** Values with a horizontal line, the highest last. */
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  /** Describes the bucket under the pointer. */
  readonly describe: (point: HealthPoint) => string;
  readonly legend?: ReactNode;
  readonly children: (scale: Scale) => ReactNode;
}

/** Axes, text and pointer of a chart over time. */
export function ChartFrame({
  title,
  summary,
  points,
  range,
  ticks,
  describe,
  legend,
  children,
}: ChartFrameProps) {
  const highest = ticks.at(-1)?.value ?? 1;
  const stepWidth = (PLOT.right - PLOT.left) / points.length;
  const x = (index: number): number => PLOT.left + (index + 0.5) * stepWidth;
  const y = (value: number): number => PLOT.bottom - (value / highest) * (PLOT.bottom - PLOT.top);
  const everyNth = Math.ceil(points.length / X_LABELS);
  return (
    <figure className="hook-chart">
      <figcaption>
        <strong>{title}</strong>
        {legend}
      </figcaption>
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={summary}>
        {ticks.map(({ value, label }) => (
          <g key={value} className="hook-tick">
            <line x1={PLOT.left} x2={PLOT.right} y1={y(value)} y2={y(value)} />
            <text x={PLOT.left - 6} y={y(value) + 4} textAnchor="end">
              {label}
            </text>
          </g>
        ))}
        {points.map(({ atMs }, index) =>
          index % everyNth === 0 ? (
            <text key={atMs} className="hook-when" x={x(index)} y={SIZE.height - 6}>
              {tickText(atMs, range)}
            </text>
          ) : null,
        )}
        {children({ x, y, stepWidth, bottom: PLOT.bottom })}
        {points.map((point, index) => (
          <rect
            key={point.atMs}
            className="hook-pointed"
            x={x(index) - stepWidth / 2}
            y={PLOT.top}
            width={stepWidth}
            height={PLOT.bottom - PLOT.top}
          >
            <title>{`${momentText(point.atMs, range)}: ${describe(point)}`}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}
