import { toTimestamp } from "@parley/shared/clock.ts";
import type { DATE_VARIABLES } from "@parley/shared/contracts/call-variables.ts";

const DAY_MS = 86_400_000;

/** The eleven date and time variables every call has (docs/webhooks.md#fields-of-a-call), in UTC. */
function dateVariables(wallMs: number): Record<(typeof DATE_VARIABLES)[number], string> {
  const now = toTimestamp(wallMs);
  const date = now.slice(0, 10);
  return {
    current_date: date,
    current_time: now.slice(11, 16),
    current_datetime: now,
    current_weekday: new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(wallMs),
    current_year: date.slice(0, 4),
    current_month: new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(wallMs),
    current_day: String(Number(date.slice(8))),
    current_timezone: "UTC",
    today_date: date,
    tomorrow_date: toTimestamp(wallMs + DAY_MS).slice(0, 10),
    yesterday_date: toTimestamp(wallMs - DAY_MS).slice(0, 10),
  };
}

/** All variables of a call: the built-in ones, the given ones, and the caller's identity. */
export function callVariables(
  {
    variables,
    identifier,
  }: {
    readonly variables: Readonly<Record<string, string>>;
    readonly identifier?: string | undefined;
  },
  wallMs: number,
): Record<string, string> {
  return { ...dateVariables(wallMs), ...variables, ...(identifier === undefined ? {} : { identifier }) };
}
