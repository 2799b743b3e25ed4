import { numberIn, ordinalIn } from "./numbers.ts";
import { plainWords } from "./words.ts";

/** Spoken dates in English and German, relative to the call's day. All dates are `YYYY-MM-DD`, in UTC. */

const DAY_MS = 86_400_000;

const MONTHS = [
  ["january", "januar", "jan"],
  ["february", "februar", "feb"],
  ["march", "marz", "mar"],
  ["april", "apr"],
  ["may", "mai"],
  ["june", "juni", "jun"],
  ["july", "juli", "jul"],
  ["august", "aug"],
  ["september", "sept", "sep"],
  ["october", "oktober", "oct"],
  ["november", "nov"],
  ["december", "dezember", "dec"],
];
const WEEKDAYS = [
  ["sunday", "sonntag"],
  ["monday", "montag"],
  ["tuesday", "dienstag"],
  ["wednesday", "mittwoch"],
  ["thursday", "donnerstag"],
  ["friday", "freitag"],
  ["saturday", "samstag", "sonnabend"],
];

function iso(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year >= 1900 && year <= 2200;
  return isReal ? at.toISOString().slice(0, 10) : undefined;
}

function plusDays(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function indexIn(lists: readonly (readonly string[])[], words: readonly string[]): number {
  return lists.findIndex((names) => names.some((name) => words.includes(name)));
}

/** The next occurrence of a day given without a year. */
function nextSuch(today: string, month: number, day: number): string | undefined {
  const year = Number(today.slice(0, 4));
  const thisYear = iso(year, month, day);
  return thisYear !== undefined && thisYear >= today ? thisYear : iso(year + 1, month, day);
}

function inFigures(text: string, today: string): string | undefined {
  const whole = /(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text);
  if (whole) return iso(Number(whole[1]), Number(whole[2]), Number(whole[3]));
  // 24.12.2026 has the day first, 12/24/2026 the month.
  const dotted = /(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})?/.exec(text);
  if (dotted) return named(today, dotted[3], Number(dotted[2]), Number(dotted[1]));
  const slashed = /(?<!\d)(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?(?!\d)/.exec(text);
  if (slashed) return named(today, slashed[3], Number(slashed[1]), Number(slashed[2]));
  return undefined;
}

function named(today: string, year: string | undefined, month: number, day: number): string | undefined {
  return year === undefined ? nextSuch(today, month, day) : iso(Number(year), month, day);
}

function ofMonth(text: string, words: readonly string[], today: string): string | undefined {
  const month = indexIn(MONTHS, words);
  if (month === -1) return undefined;
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(text)?.[1];
  const rest = year === undefined ? text : text.replace(year, " ");
  const day = ordinalIn(rest) ?? numberIn(rest);
  return day === undefined ? undefined : named(today, year, month + 1, day);
}

function relative(said: string, words: readonly string[], today: string): string | undefined {
  if (said.includes("day after tomorrow") || words.includes("ubermorgen")) return plusDays(today, 2);
  if (words.includes("tomorrow") || words.includes("morgen")) return plusDays(today, 1);
  if (words.includes("today") || words.includes("tonight") || words.includes("heute")) return today;
  if (words.includes("yesterday") || words.includes("gestern")) return plusDays(today, -1);
  const weekday = indexIn(WEEKDAYS, words);
  if (weekday !== -1) {
    const now = new Date(`${today}T00:00:00Z`).getUTCDay();
    // Today's weekday means a week from now.
    return plusDays(today, ((weekday - now + 6) % 7) + 1);
  }
  if (!/^(in|within)\b/.test(said) && !/\bfrom now\b/.test(said)) return undefined;
  const count = numberIn(said) ?? (words.includes("a") || words.includes("einer") ? 1 : undefined);
  if (count === undefined) return undefined;
  if (/\b(days?|tage?n?)\b/.test(said)) return plusDays(today, count);
  return /\b(weeks?|wochen?)\b/.test(said) ? plusDays(today, count * 7) : undefined;
}

/** The date in a text; undefined when it contains no valid one. `today`: `YYYY-MM-DD`. */
export function dateIn(text: string, today: string): string | undefined {
  const said = plainWords(text);
  const words = said.split(" ");
  return inFigures(text, today) ?? ofMonth(text, words, today) ?? relative(said, words, today);
}
