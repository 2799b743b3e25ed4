const DAY = { month: "short", day: "numeric" } as const;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;
const EXACT_CLOCK = { ...CLOCK, second: "2-digit" } as const;
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** Includes the year, unless it is the current one. */
function formatter(clock: Intl.DateTimeFormatOptions): (at: Date) => string {
  const thisYear = new Intl.DateTimeFormat(undefined, { ...DAY, ...clock });
  const otherYear = new Intl.DateTimeFormat(undefined, { ...DAY, year: "numeric", ...clock });
  return (at) => inTwoPieces(at.getFullYear() === new Date().getFullYear() ? thisYear : otherYear, at);
}

/** Where there is no room for one line, the clock is below the day, and neither is broken. */
function inTwoPieces(format: Intl.DateTimeFormat, at: Date): string {
  const parts = format.formatToParts(at);
  const between = parts.findIndex(({ type }) => type === "hour") - 1;
  return parts
    .map(({ value }, index) => (index === between ? value : value.replaceAll(" ", "\u00a0")))
    .join("");
}

const text = formatter(CLOCK);
const exactText = formatter(EXACT_CLOCK);

const CALENDAR_DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** A day that is the same everywhere, such as an invoice's. @param at a date (2026-11-20), or a time of that day in UTC */
export function dayName(at: string): string {
  return CALENDAR_DAY.format(new Date(at));
}

/** A time in the reader's zone. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} data-tip={WHOLE.format(date)}>
      {text(date)}
    </time>
  );
}

/** A time in the reader's zone, to the second. */
export function ExactTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} data-tip={WHOLE.format(date)}>
      {exactText(date)}
    </time>
  );
}
