import { momentOf, offsetMs } from "../zones.ts";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const WEEK = 7;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WHEN = /^([a-z]{3})(?:\s*-\s*([a-z]{3}))?\s+(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)$/;

/** Opening hours of a weekday (0: Sunday), in minutes of the day. */
interface Hours {
  readonly day: number;
  readonly fromMinute: number;
  readonly toMinute: number;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Parses `Mon-Fri 09:00-17:00, Sat 10:00-12:00`; undefined when malformed. */
export function openingHours(text: string): Hours[] | undefined {
  const all = text
    .toLowerCase()
    .split(",")
    .map((part) => hoursOf(part.trim()));
  return all.some((hours) => hours === undefined) ? undefined : all.flatMap((hours) => hours ?? []);
}

/** Start times at which `lengthMs` fits without a conflict, earliest first. */
export function freeStarts(
  { startMs, endMs }: Span,
  busy: readonly Span[],
  {
    hours,
    timeZone,
    lengthMs,
    limit,
  }: {
    readonly hours: readonly Hours[];
    readonly timeZone: string;
    readonly lengthMs: number;
    readonly limit: number;
  },
): number[] {
  const free: number[] = [];
  const isFree = (one: Span) =>
    busy.every((other) => one.endMs <= other.startMs || other.endMs <= one.startMs);
  const shownDay = (atMs: number) => Math.floor((atMs + offsetMs(atMs, timeZone)) / DAY_MS) * DAY_MS;
  for (let dayMs = shownDay(startMs); dayMs <= shownDay(endMs) && free.length < limit; dayMs += DAY_MS) {
    const today = hours.filter(({ day }) => day === new Date(dayMs).getUTCDay());
    for (const { fromMinute, toMinute } of today.toSorted(
      (one, other) => one.fromMinute - other.fromMinute,
    )) {
      const closesMs = momentOf(dayMs + toMinute * MINUTE_MS, timeZone);
      let beginMs = momentOf(dayMs + fromMinute * MINUTE_MS, timeZone);
      for (; beginMs + lengthMs <= closesMs; beginMs += lengthMs) {
        const one = { startMs: beginMs, endMs: beginMs + lengthMs };
        const isAsked = one.startMs >= startMs && one.endMs <= endMs;
        if (isAsked && isFree(one) && free.length < limit) free.push(beginMs);
      }
    }
  }
  return free;
}

function hoursOf(part: string): Hours[] | undefined {
  const [, first = "", last = first, ...times] = WHEN.exec(part) ?? [];
  const [fromHour = 0, fromMinutes = 0, toHour = 0, toMinutes = 0] = times.map(Number);
  const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
  const [fromMinute, toMinute] = [fromHour * 60 + fromMinutes, toHour * 60 + toMinutes];
  const isTime = fromMinutes < 60 && toMinutes < 60 && fromMinute < toMinute && toMinute <= 24 * 60;
  if (from < 0 || to < 0 || !isTime) return undefined;
  const count = ((to - from + WEEK) % WEEK) + 1;
  return Array.from({ length: count }, (_, index) => ({ day: (from + index) % WEEK, fromMinute, toMinute }));
}
