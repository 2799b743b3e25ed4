/** What the filters of the list are called, in the page's address as in the API's. */
export const FILTERS = ["status", "agentId", "channel", "direction", "number", "text", "from", "to"] as const;
export type FilterName = (typeof FILTERS)[number];

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * The API's query from the page's address. There `from` and `to` are days of the reader, both included; a day that is
 * none is left out.
 */
export function callQuery(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of [...FILTERS, "before"]) {
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
