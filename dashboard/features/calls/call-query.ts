/** The list's filters, named alike in the page's address and the API. */
export const FILTERS = ["status", "agentId", "channel", "direction", "number", "text", "from", "to"] as const;

/** Filters set by the Analytics page's links to its calls. */
export const WORD_FILTERS = [
  "endReason",
  "interrupted",
  "tool",
  "failedTool",
  "sentiment",
  "disposition",
  "topic",
  "metCriterion",
  "missedCriterion",
] as const;
export type WordFilter = (typeof WORD_FILTERS)[number];

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Builds the API's query from the page's address. There, `from` and `to` are days in the reader's zone, both
 * included; an invalid day is left out.
 */
export function callQuery(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of [...FILTERS, ...WORD_FILTERS, "before"]) {
    const value = params.get(name) ?? "";
    const sent = name === "from" || name === "to" ? midnight(value, name === "to" ? 1 : 0) : value;
    if (sent) query.set(name, sent);
  }
  return query;
}

function midnight(day: string, laterDays: number): string | undefined {
  const [, year, month, date] = DAY_PATTERN.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + laterDays).toISOString();
}
