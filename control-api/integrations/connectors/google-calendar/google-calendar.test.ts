import { describe, expect, it } from "vitest";
import {
  GOOGLE_TOKEN,
  googleError,
  startFakeGoogleCalendar,
} from "../../../../testkit/fakes/connectors/google-calendar.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";
import { freeStarts, openingHours } from "./hours.ts";

const BOOKING = { id: "ev1", title: "Fitting", start: "2099-03-02T09:30:00+01:00", status: "confirmed" };
const tooOften = googleError(403, "Rate Limit Exceeded", "rateLimitExceeded");

connectorContract({
  connector,
  start: () => startFakeGoogleCalendar(),
  settings: { hours: "Mon 09:00-11:00" },
  forms: { consent: { accessToken: GOOGLE_TOKEN } },
  badCredentials: { accessToken: "ya29.nobody" },
  account: "team@example.com",
  facts: { timeZone: "Europe/Berlin" },
  cases: [
    {
      capability: "slot.find",
      args: { from: "2099-03-02T00:00:00+01:00", to: "2099-03-03T00:00:00+01:00", timeZone: "Europe/London" },
      result: {
        slots: [
          { start: "2099-03-02T08:00:00+00:00" },
          { start: "2099-03-02T09:00:00+00:00" },
          { start: "2099-03-02T09:30:00+00:00" },
        ],
      },
    },
    { capability: "booking.lookup", args: { email: "ada@example.com" }, result: { bookings: [BOOKING] } },
    { capability: "booking.lookup", args: { email: "ben@example.com" }, result: { bookings: [] } },
    {
      capability: "booking.create",
      args: {
        start: "2099-03-02T10:00:00+01:00",
        attendee: { name: "Ben", email: "ben@example.com", phone: "+14155550101", timeZone: "Europe/Berlin" },
      },
      result: {
        booking: {
          id: expect.stringMatching(/^[0-9a-f]{40}$/),
          title: "Ben",
          start: "2099-03-02T10:00:00+01:00",
          status: "confirmed",
        },
      },
    },
    {
      capability: "booking.reschedule",
      args: { id: "ev1", start: "2099-03-02T14:00:00Z" },
      result: { booking: { ...BOOKING, start: "2099-03-02T15:00:00+01:00" } },
    },
    {
      capability: "booking.cancel",
      args: { id: "ev1" },
      result: { booking: { ...BOOKING, status: "cancelled" } },
    },
  ],
  missing: { capability: "booking.cancel", args: { id: "ev9" } },
  faults: {
    missingScope: googleError(
      403,
      "Request had insufficient authentication scopes.",
      "insufficientPermissions",
    ),
    rateLimited: { ...tooOften, headers: { "retry-after": "30" } },
  },
});

describe("opening hours", () => {
  it.each([
    ["Mon-Fri 09:00-17:00", 5],
    ["Sat 10:00-12:00, Sun 10:00-12:00", 2],
    ["Fri-Mon 8:00-24:00", 4],
  ])("%s are on %i days", (text, days) => {
    expect(openingHours(text)).toHaveLength(days);
  });

  it.each(["", "always", "Mon 17:00-09:00", "Mon-Fri", "Mon 09:60-10:00", "Mon 09:00-25:00"])(
    "%j is refused",
    (text) => {
      expect(openingHours(text)).toBeUndefined();
    },
  );

  it("keep to the clock of their zone when it is changed", () => {
    const starts = (day: string) =>
      freeStarts({ startMs: Date.parse(`${day}T00:00:00Z`), endMs: Date.parse(`${day}T23:00:00Z`) }, [], {
        hours: openingHours("Sat-Sun 09:00-10:00") ?? [],
        timeZone: "Europe/Berlin",
        lengthMs: 3_600_000,
        limit: 5,
      }).map((ms) => new Date(ms).toISOString());
    expect(starts("2026-03-28")).toEqual(["2026-03-28T08:00:00.000Z"]);
    expect(starts("2026-03-29")).toEqual(["2026-03-29T07:00:00.000Z"]);
  });
});
