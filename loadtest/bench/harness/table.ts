import type { Figure, Rival, Spread } from "./figure.ts";

/** A bench's figures as a table for the terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.title,
    withSpread(figure.ours, figure.unit),
    rivalCell(figure, figure.limit),
    rivalCell(figure, figure.peer),
    figure.target ? `${figure.target.holds ? "holds" : "MISSED"}: ${figure.target.text}` : "",
  ]);
  return columns([["", "Parley", "limit", "peer", "target"], ...rows]);
}

function rivalCell({ ours, unit }: Figure, rival: Rival | undefined): string {
  if (!rival) return "";
  const ratio = ours.median / rival.value.median;
  return `${rival.name} ${withSpread(rival.value, unit)}, ratio ${ratio.toFixed(2)}`;
}

function withSpread({ median, min, max }: Spread, unit: string): string {
  return `${short(median)} ${unit} (${short(min)}–${short(max)})`;
}

function short(value: number): string {
  if (value >= 1_000) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
