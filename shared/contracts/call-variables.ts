/** Variables that every call has, whoever makes it (docs/webhooks.md#fields-of-a-call). */
export const DATE_VARIABLES = [
  "current_date",
  "current_time",
  "current_datetime",
  "current_weekday",
  "current_year",
  "current_month",
  "current_day",
  "current_timezone",
  "today_date",
  "tomorrow_date",
  "yesterday_date",
] as const;

export const BUILT_IN_VARIABLES: readonly string[] = [...DATE_VARIABLES, "identifier"];
