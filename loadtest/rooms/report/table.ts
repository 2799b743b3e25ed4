import type { RoomFigures } from "./figures.ts";
import type { RoomResults, RoomRow } from "./results.ts";

interface Column {
  readonly title: string;
  readonly value: (figures: RoomFigures) => number;
  readonly text: (figures: RoomFigures) => string;
  /** Smaller changes are random variation between runs. */
  readonly noise: number;
}

const count = (title: string, value: (figures: RoomFigures) => number): Column => ({
  title,
  value,
  text: (figures) => String(value(figures)),
  noise: 0,
});
const seconds = (title: string, value: (figures: RoomFigures) => number, noise: number): Column => ({
  title,
  value,
  text: (figures) => (value(figures) / 1_000).toFixed(2),
  noise,
});
const optionalSeconds = (title: string, valueMs: (figures: RoomFigures) => number | undefined): Column => ({
  title,
  value: (figures) => valueMs(figures) ?? 0,
  text: (figures) => ((ms) => (ms === undefined ? "" : (ms / 1_000).toFixed(2)))(valueMs(figures)),
  noise: 100,
});

const COLUMNS: readonly Column[] = [
  {
    title: "answered",
    value: ({ answered }) => answered,
    text: ({ answered, asked }) => `${answered} of ${asked}`,
    noise: 0,
  },
  count("cut off", ({ cutOff }) => cutOff),
  count("stopped", ({ stopped }) => stopped),
  count("ghosts", ({ ghosts }) => ghosts),
  count("asked twice", ({ askedTwice }) => askedTwice),
  {
    title: "dead air, s",
    value: ({ deadAirS }) => deadAirS,
    text: ({ deadAirS }) => deadAirS.toFixed(1),
    noise: 0.3,
  },
  {
    title: "words lost",
    value: ({ wordsLost }) => wordsLost * 100,
    text: ({ wordsLost }) => `${Math.round(wordsLost * 100)} %`,
    noise: 3,
  },
  seconds("p50, s", ({ responseP50Ms }) => responseP50Ms, 100),
  seconds("p95, s", ({ responseP95Ms }) => responseP95Ms, 300),
  seconds("turn over p95, s", ({ turnEndP95Ms }) => turnEndP95Ms, 300),
  seconds("anything p95, s", ({ anythingP95Ms }) => anythingP95Ms, 300),
  {
    title: "interrupted",
    value: ({ interrupted = 0 }) => interrupted,
    text: ({ interrupted, interruptions }) =>
      interrupted === undefined ? "" : `${interrupted} of ${interruptions}`,
    noise: 0,
  },
  optionalSeconds("silent p50, s", ({ stopP50Ms }) => stopP50Ms),
  optionalSeconds("silent p90, s", ({ stopP90Ms }) => stopP90Ms),
];

/** Rows for the terminal, each with the change from the previous run. */
export function terminalTable(rows: readonly RoomRow[], before: RoomResults | undefined): string {
  const header = ["", ...COLUMNS.map(({ title }) => title), "", ""];
  const lines = rows.map((row) => {
    const earlier = before?.rows.find(({ id }) => id === row.id)?.figures;
    return [
      row.title,
      ...COLUMNS.map(({ text }) => text(row.figures)),
      verdictOf(row),
      changes(row.figures, earlier),
    ];
  });
  const all = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((line) => (line[column] ?? "").length)));
  return all
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Rows as Markdown, without changes or empty columns. */
export function markdownTable(rows: readonly RoomRow[]): string {
  const columns = COLUMNS.filter(({ text }) => rows.some(({ figures }) => text(figures) !== ""));
  const header = ["room", "brain, s", ...columns.map(({ title }) => title), "promise"];
  const lines = rows.map((row) => [
    row.title,
    (row.brainMs / 1_000).toFixed(2),
    ...columns.map(({ text }) => text(row.figures)),
    verdictOf(row),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...lines.map(line)].join("\n");
}

function verdictOf({ missed, isPromised, figures }: RoomRow): string {
  const told = figures.problems.length > 0 ? ` (${figures.problems.join(", ")})` : "";
  if (!isPromised) return told.trim();
  return missed.length === 0 ? `holds${told}` : `**missed**: ${missed.join(", ")}${told}`;
}

function changes(now: RoomFigures, before: RoomFigures | undefined): string {
  if (!before) return "new";
  return COLUMNS.flatMap(({ title, value, noise }) => {
    const change = value(now) - value(before);
    if (Math.abs(change) <= noise) return [];
    return [
      `${title.replace(/,.*/, "")} ${change > 0 ? "+" : "−"}${Number(Math.abs(change).toPrecision(2))}`,
    ];
  }).join(", ");
}
