import type { CallAnalytics, CallFigures, CallOutcomes } from "@parley/shared/contracts/analytics.ts";

/** Filters from the page's address; empty means no filter. */
export interface Chosen {
  readonly days: number;
  readonly agentId: string;
  readonly channel: string;
}

/** Selectable periods, in days up to now; 1 is shown by the hour. */
export const PERIODS = [
  [1, "Today"],
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
] as const;
const USUAL_DAYS = 7;

export function chosenIn(params: URLSearchParams): Chosen {
  const days = PERIODS.map(([each]) => each).find((each) => String(each) === params.get("days"));
  return {
    days: days ?? USUAL_DAYS,
    agentId: params.get("agentId") ?? "",
    channel: params.get("channel") ?? "",
  };
}

/** The period of `days` days including today, from the reader's midnight up to now. */
export function periodOf(days: number, now: Date): { from: Date; to: Date; step: "day" | "hour" } {
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  return { from, to: now, step: days === 1 ? "hour" : "day" };
}

/** A day in the reader's zone, as the page of calls writes it in its address. */
export function dayText(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

const SHOWN_DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** A day of the reader's time zone, for people. */
export function dayLabel(at: Date): string {
  return SHOWN_DAY.format(at);
}

const COLUMNS = ["calls", "answered", "failed", "talkSecs", "responseP50Ms", "responseP95Ms"] as const;

/** The figures as CSV for spreadsheets: each day or hour, agent, channel and outcome with its calls. */
export function csvOf({ points, agents, channels }: CallAnalytics, outcomes: CallOutcomes): string {
  const row = (kind: string, name: string, figures: CallFigures): string =>
    [kind, quoted(name), ...COLUMNS.map((column) => figures[column] ?? "")].join(",");
  return [
    ["kind", "name", ...COLUMNS].join(","),
    ...points.map((point) => row("time", point.at, point)),
    ...agents.map((agent) => row("agent", agent.name ?? agent.agentId, agent)),
    ...channels.map((channel) => row("channel", channel.channel, channel)),
    ...outcomeRows(outcomes).map(([kind, name, times]) => `${kind},${quoted(name)},${times},,,,,`),
    "",
  ].join("\r\n");
}

function outcomeRows({ endReasons, sentiments, dispositions, topics, tools, qa }: CallOutcomes) {
  const counted = (kind: string, words: CallOutcomes["topics"]) =>
    words.map(({ value, times }) => [kind, value, times] as const);
  return [
    ...counted("end_reason", endReasons),
    ...counted("sentiment", sentiments),
    ...counted("disposition", dispositions),
    ...counted("topic", topics),
    ...tools.flatMap(({ name, calls, failed }) => [
      ["tool", name, calls] as const,
      ["tool_failed", name, failed] as const,
    ]),
    ...qa.flatMap(({ key, met, missed }) => [
      ["qa_met", key, met] as const,
      ["qa_missed", key, missed] as const,
    ]),
  ];
}

/** Escapes a name that the spreadsheet would take for a formula. */
function quoted(name: string): string {
  const safe = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return `"${safe.replaceAll('"', '""')}"`;
}
