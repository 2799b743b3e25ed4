import { missedOf } from "@parley/shared/contracts/endpoint-state.ts";
import { useId } from "react";
import { countsText, Hatch } from "./health-charts.tsx";
import { RANGE_NAMES, type Range } from "./health-labels.ts";
import type { HealthPoint } from "./health-points.ts";

const SIZE = { width: 180, height: 36 } as const;
/** Keeps even a single one among thousands visible. */
const LEAST_HEIGHT = 3;

interface SparklineProps {
  readonly points: readonly HealthPoint[];
  readonly range: Range;
}

/** An endpoint's deliveries over time, small: successes up, failures down and hatched. */
export function Sparkline({ points, range }: SparklineProps) {
  const hatch = useId();
  const total = points.reduce(
    (sum, { delivered, failed, dead, pending }) => ({
      delivered: sum.delivered + delivered,
      failed: sum.failed + failed,
      dead: sum.dead + dead,
      pending: sum.pending + pending,
    }),
    { delivered: 0, failed: 0, dead: 0, pending: 0 },
  );
  const most = Math.max(1, ...points.map((point) => Math.max(point.delivered, missedOf(point))));
  const middle = SIZE.height * 0.62;
  const step = SIZE.width / points.length;
  const heightOf = (count: number, room: number): number =>
    count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / most) * room);
  return (
    <svg
      className="hook-sparkline"
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Deliveries over the ${RANGE_NAMES[range]}: ${countsText(total)}.`}
    >
      <Hatch id={hatch} />
      {points.map((point, index) => {
        const up = heightOf(point.delivered, middle - 1);
        const down = heightOf(missedOf(point), SIZE.height - middle - 1);
        const place = { x: index * step + 0.5, width: Math.max(1, step - 1) };
        return (
          <g key={point.atMs}>
            <rect className="hook-through" {...place} y={middle - up} height={up} />
            <rect {...place} y={middle + 1} height={down} fill={`url(#${hatch})`} />
          </g>
        );
      })}
      <line className="hook-axis" x1="0" x2={SIZE.width} y1={middle + 0.5} y2={middle + 0.5} />
    </svg>
  );
}
