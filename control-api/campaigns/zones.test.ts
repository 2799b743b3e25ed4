import { describe, expect, it, vi } from "vitest";
import { isOpen, isTimeZone } from "./zones.ts";

const ALL = [0, 1, 2, 3, 4, 5, 6];
const HOURS = { days: ALL, from: "09:00", to: "20:00" };
const MINUTE_MS = 60_000;

/** Nine o'clock there, in UTC, on the day before the clocks change and on the day they do. */
const NINE_O_CLOCK = [
  ["America/New_York", "2026-03-07T14:00Z", "2026-03-08T13:00Z"],
  ["America/Los_Angeles", "2026-03-07T17:00Z", "2026-03-08T16:00Z"],
  ["America/New_York", "2026-10-31T13:00Z", "2026-11-01T14:00Z"],
  ["America/Los_Angeles", "2026-10-31T16:00Z", "2026-11-01T17:00Z"],
  ["America/St_Johns", "2026-10-31T11:30Z", "2026-11-01T12:30Z"],
  ["Atlantic/Azores", "2026-10-24T09:00Z", "2026-10-25T10:00Z"],
  ["Europe/London", "2026-10-24T08:00Z", "2026-10-25T09:00Z"],
  ["Europe/Berlin", "2026-10-24T07:00Z", "2026-10-25T08:00Z"],
  ["Australia/Adelaide", "2026-10-02T23:30Z", "2026-10-03T22:30Z"],
  ["Pacific/Auckland", "2026-09-25T21:00Z", "2026-09-26T20:00Z"],
  ["America/Sao_Paulo", "2026-10-31T12:00Z", "2026-11-01T12:00Z"],
  ["Pacific/Honolulu", "2026-10-31T19:00Z", "2026-11-01T19:00Z"],
  ["Africa/Lagos", "2026-10-24T08:00Z", "2026-10-25T08:00Z"],
  ["Asia/Kolkata", "2026-10-24T03:30Z", "2026-10-25T03:30Z"],
  ["Asia/Tokyo", "2026-10-24T00:00Z", "2026-10-25T00:00Z"],
] as const;

describe("the hours in which people are called", () => {
  it.each(NINE_O_CLOCK)(
    "begin by the clock of %s, before (%s) and after it changed (%s)",
    (zone, ...days) => {
      for (const day of days) {
        const nine = Date.parse(day);
        expect(isOpen(zone, HOURS, nine - MINUTE_MS)).toBe(false);
        expect(isOpen(zone, HOURS, nine)).toBe(true);
        expect(isOpen(zone, HOURS, nine + 11 * 60 * MINUTE_MS - 1)).toBe(true);
        expect(isOpen(zone, HOURS, nine + 11 * 60 * MINUTE_MS)).toBe(false);
      }
    },
  );

  it("that the clock shows twice in a night are open twice, and those it leaves out never", () => {
    const minutes = (day: string, from: string, to: string): number =>
      Array.from({ length: 48 * 60 }, (_, i) => Date.parse(`${day}T00:00Z`) + i * MINUTE_MS).filter((at) =>
        isOpen("America/New_York", { days: [0], from, to }, at),
      ).length;
    expect(minutes("2026-11-01", "01:00", "02:00")).toBe(120);
    expect(minutes("2026-03-08", "02:00", "03:00")).toBe(0);
  });

  it("of a country with several zones are those that all of them share", () => {
    const open = (at: string) => isOpen("country:US", HOURS, Date.parse(at));
    expect(["18:59", "19:00", "23:59"].map((time) => open(`2026-07-01T${time}Z`))).toEqual([
      false,
      true,
      true,
    ]);
    // From New York's evening on it is too late there.
    expect(open("2026-07-02T00:00Z")).toBe(false);
  });
});

describe("the name of a time zone", () => {
  it("may be written in any case, and costs one clock however many spellings there are", () => {
    const clocks = vi.spyOn(Intl, "DateTimeFormat");
    const spellings = Array.from({ length: 7 }, (_, at) => {
      const name = "asia/baku";
      return name.slice(0, at) + name.slice(at).toUpperCase();
    });
    for (const spelling of spellings) expect(isTimeZone(spelling)).toBe(true);
    expect(clocks).toHaveBeenCalledTimes(1);
    clocks.mockRestore();
    expect(isTimeZone("Asia/Nowhere")).toBe(false);
  });
});
