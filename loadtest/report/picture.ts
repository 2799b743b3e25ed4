/** Small SVG charts: they carry their own colors for light and dark, and need nothing external. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Text behind the bar. */
  readonly note: string;
  /** Parley's bar, drawn in the strong color. */
  readonly isOurs: boolean;
}

const STYLE = `<style>
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .faint { fill: #57606a; font-size: 12px }
  .ours { fill: #0969da } .other { fill: #afb8c1 } .mark { stroke: #cf222e; stroke-width: 1.5 }
  .line { fill: none; stroke: #0969da; stroke-width: 2 } .line2 { fill: none; stroke: #8250df; stroke-width: 2 }
  .axis { stroke: #d0d7de }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .faint { fill: #9198a1 }
    .ours { fill: #4493f8 } .other { fill: #545d68 } .mark { stroke: #f85149 }
    .line { stroke: #4493f8 } .line2 { stroke: #ab7df8 } .axis { stroke: #3d444d }
  }
</style>`;

const WIDTH = 640;
const BAR_HEIGHT = 22;
const ROW_HEIGHT = 46;

/** Bars below each other, each with its label above and its note behind. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const room = WIDTH - 190;
  const rows = bars.map(({ label, value, note, isOurs }, i) => {
    const y = 12 + i * ROW_HEIGHT;
    const width = Math.max(2, (value / most) * room);
    return `<text x="0" y="${y + 10}" class="faint">${escapeXml(label)}</text>
<rect x="0" y="${y + 16}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="3" class="${isOurs ? "ours" : "other"}"/>
<text x="${(width + 8).toFixed(1)}" y="${y + 32}">${escapeXml(note)}</text>`;
  });
  return svg(title, 12 + bars.length * ROW_HEIGHT, rows.join("\n"));
}

export interface Distribution {
  readonly buckets: readonly { upToMs: number; count: number }[];
  /** Quantiles drawn as lines: label and position. */
  readonly marks: readonly { label: string; ms: number }[];
}

const PLOT_HEIGHT = 150;

/** Frequency of times, on a logarithmic axis in ms. */
export function distributionChart(title: string, { buckets, marks }: Distribution): string {
  if (buckets.length === 0)
    return svg(title, 30, '<text x="0" y="20" class="faint">nothing was measured</text>');
  const edges = [...buckets.map(({ upToMs }) => upToMs), ...marks.map(({ ms }) => Math.max(ms, 0.01))];
  const [low, high] = [Math.min(...edges) / 1.3, Math.max(...edges) * 1.3];
  const x = (ms: number): number => (WIDTH * Math.log(ms / low)) / Math.log(high / low);
  const most = Math.max(...buckets.map(({ count }) => count));
  const base = PLOT_HEIGHT + 30;
  const bars = buckets.map(({ upToMs, count }) => {
    const left = x(upToMs / 2 ** (1 / 8));
    const height = Math.max(1, (count / most) * PLOT_HEIGHT);
    const width = Math.max(1, x(upToMs) - left - 1);
    return `<rect x="${left.toFixed(1)}" y="${(base - height).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" class="ours"/>`;
  });
  const lines = marks.map(({ label, ms }, i) => {
    const at = x(Math.max(ms, 0.01));
    const anchor = at > WIDTH - 110 ? "end" : "start";
    const offset = anchor === "end" ? -4 : 4;
    return `<line x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${4 + i * 14}" y2="${base}" class="mark"/>
<text x="${(at + offset).toFixed(1)}" y="${14 + i * 14}" text-anchor="${anchor}">${escapeXml(label)} ${ms.toFixed(1)} ms</text>`;
  });
  const ticks = roundNumbers(low, high).map(
    (ms) =>
      `<line x1="${x(ms).toFixed(1)}" x2="${x(ms).toFixed(1)}" y1="${base}" y2="${base + 5}" class="axis"/><text x="${x(ms).toFixed(1)}" y="${base + 19}" text-anchor="middle" class="faint">${ms} ms</text>`,
  );
  const axis = `<line x1="0" x2="${WIDTH}" y1="${base}" y2="${base}" class="axis"/>`;
  return svg(title, base + 26, [...bars, axis, ...ticks, ...lines].join("\n"));
}

export interface Line {
  readonly label: string;
  readonly values: readonly number[];
}

/** Up to two lines over the same time, from zero up. */
export function lineChart(title: string, seconds: number, lines: readonly Line[]): string {
  const most = Math.max(...lines.flatMap(({ values }) => values), 1);
  const base = PLOT_HEIGHT + 34;
  const paths = lines.map(({ label, values }, i) => {
    const points = values.map((value, at) => {
      const px = (at / Math.max(1, values.length - 1)) * WIDTH;
      return `${px.toFixed(1)},${(base - (value / most) * PLOT_HEIGHT).toFixed(1)}`;
    });
    const name = i === 0 ? "line" : "line2";
    return `<polyline points="${points.join(" ")}" class="${name}"/>
<line x1="${i * 220}" x2="${i * 220 + 20}" y1="10" y2="10" class="${name}"/><text x="${i * 220 + 26}" y="14">${escapeXml(label)}</text>`;
  });
  const axis = `<line x1="0" x2="${WIDTH}" y1="${base}" y2="${base}" class="axis"/>
<text x="0" y="${base + 18}" class="faint">0</text><text x="${WIDTH}" y="${base + 18}" text-anchor="end" class="faint">${seconds} s</text>`;
  return svg(title, base + 26, [axis, ...paths].join("\n"));
}

/** A low and a high value in one row, with a note behind. */
export interface Range {
  readonly label: string;
  readonly low: number;
  readonly high: number;
  readonly note: string;
  /** The promise was missed. */
  readonly isMissed: boolean;
}

const LABEL_WIDTH = 240;
const NOTE_WIDTH = 90;
const RANGE_HEIGHT = 19;

/** Ranges below each other: the strong bar ends at the low value, the faint one at the high value. */
export function rangeChart(title: string, ranges: readonly Range[]): string {
  const most = Math.max(...ranges.map(({ high }) => high), Number.MIN_VALUE);
  const width = (value: number): string => ((value / most) * (WIDTH - LABEL_WIDTH - NOTE_WIDTH)).toFixed(1);
  const rows = ranges.map(({ label, low, high, note, isMissed }, i) => {
    const y = 6 + i * RANGE_HEIGHT;
    const mark = isMissed
      ? `<line x1="0" x2="0" y1="${y}" y2="${y + 13}" class="mark" stroke-width="4"/>`
      : "";
    return `${mark}<text x="6" y="${y + 11}" class="faint">${escapeXml(label)}</text>
<rect x="${LABEL_WIDTH}" y="${y + 1}" width="${width(high)}" height="12" class="other"/>
<rect x="${LABEL_WIDTH}" y="${y + 1}" width="${width(low)}" height="12" class="ours"/>
<text x="${WIDTH - NOTE_WIDTH + 8}" y="${y + 11}" class="faint">${escapeXml(note)}</text>`;
  });
  return svg(title, 10 + ranges.length * RANGE_HEIGHT, rows.join("\n"));
}

/** 1, 2 and 5 times each power of ten in the range; fewer where there would be too many. */
function roundNumbers(low: number, high: number): number[] {
  const steps = high / low > 200 ? [1] : [1, 2, 5];
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => 10 ** (first + i));
  const all = powers.flatMap((power) => steps.map((step) => Number((step * power).toPrecision(1))));
  return all.filter((ms) => ms > low * 1.1 && ms < high / 1.1);
}

function svg(title: string, height: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img" aria-label="${escapeXml(title)}">
${STYLE}
${body}
</svg>
`;
}

export function escapeXml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
