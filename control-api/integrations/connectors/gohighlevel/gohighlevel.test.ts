import { describe, expect, it } from "vitest";
import { GHL, ghlRefusal, startFakeGohighlevel } from "../../../../testkit/fakes/connectors/gohighlevel.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";
import { inZone } from "./times.ts";

const page = (id: string) => `https://app.gohighlevel.com/v2/location/loc1/contacts/detail/${id}`;
const ADA = {
  id: "c51",
  name: "Ada Byron",
  email: "ada@example.com",
  phone: "+14155550101",
  url: page("c51"),
};
const BOOKING = { id: "a1", title: "Fitting", start: "2098-01-02T09:00:00.000Z", status: "confirmed" };
const LATER = { id: "a2", title: "Later", start: "2098-07-02T08:00:00.000Z", status: "confirmed" };
const MOVED = "2098-01-05T10:00:00+01:00";
const MOVED_UTC = "2098-01-05T09:00:00.000Z";

connectorContract({
  connector,
  start: startFakeGohighlevel,
  settings: { locationId: GHL.locationId },
  forms: { "private integration token": { token: GHL.token } },
  badCredentials: { token: "pit-nobody" },
  account: "Shoes Inc",
  facts: { timeZone: "Europe/Berlin", calendarId: "cal1" },
  cases: [
    { capability: "contact.lookup", args: { phone: "+1 415 555-0101" }, result: { contact: ADA } },
    { capability: "contact.lookup", args: { email: "ben@example.com" }, result: { contact: null } },
    {
      capability: "contact.upsert",
      args: { email: "ada@example.com", name: "Ada Lovelace", fields: { city: "London", shoe_size: "38" } },
      result: { contact: { ...ADA, name: "Ada Lovelace" }, created: false },
    },
    {
      capability: "contact.upsert",
      args: { phone: "+493012345" },
      result: {
        contact: { id: "c52", name: null, email: null, phone: "+493012345", url: page("c52") },
        created: true,
      },
    },
    { capability: "note.create", args: { contactId: "c51", text: "Called" }, result: { id: "n1" } },
    {
      capability: "slot.find",
      args: { from: "2026-03-02T09:00:00+01:00", to: "2026-03-03T09:00:00+01:00", timeZone: "Europe/Berlin" },
      result: { slots: [{ start: "2026-03-02T10:00:00+01:00" }] },
    },
    {
      capability: "booking.lookup",
      args: { email: "ada@example.com" },
      result: { bookings: [BOOKING, LATER] },
    },
    { capability: "booking.lookup", args: { email: "ben@example.com" }, result: { bookings: [] } },
    {
      capability: "booking.create",
      args: {
        start: MOVED,
        attendee: { name: "Ada Byron", email: "ada@example.com", timeZone: "Europe/Berlin" },
      },
      result: { booking: { ...BOOKING, id: "a9", title: "Ada Byron", start: MOVED_UTC } },
    },
    {
      capability: "booking.reschedule",
      args: { id: "a1", start: MOVED },
      result: { booking: { ...BOOKING, start: MOVED_UTC } },
    },
    {
      capability: "booking.cancel",
      args: { id: "a1", reason: "Ill" },
      result: { booking: { ...BOOKING, status: "cancelled" } },
    },
    { capability: "message.send", args: { to: "c51", text: "See you" }, result: { id: "m1" } },
    { capability: "message.send", args: { to: "+1 415 555 0101", text: "See you" }, result: { id: "m1" } },
  ],
  missing: { capability: "message.send", args: { to: "c99", text: "See you" } },
  faults: {
    missingScope: ghlRefusal(401, "The token is not authorized for this scope."),
    rateLimited: ghlRefusal(429, "Too Many Requests"),
  },
});

describe("A time of the sub-account's clock", () => {
  it.each([
    ["2026-03-02 10:00:00", "Europe/Berlin", "2026-03-02T09:00:00.000Z"],
    ["2026-07-02 10:00:00", "Europe/Berlin", "2026-07-02T08:00:00.000Z"],
    ["2026-07-02 10:00:00", "America/New_York", "2026-07-02T14:00:00.000Z"],
    ["2026-07-02 10:00:00", "Asia/Kolkata", "2026-07-02T04:30:00.000Z"],
    // The night in which clocks go forward, before and after.
    ["2026-03-29 01:30:00", "Europe/Berlin", "2026-03-29T00:30:00.000Z"],
    ["2026-03-29 03:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-07-02T10:00:00+05:30", "Europe/Berlin", "2026-07-02T04:30:00.000Z"],
    ["soon", "Europe/Berlin", "soon"],
  ])("%s in %s is %s", (time, timeZone, expected) => {
    expect(inZone(time, timeZone)).toBe(expected);
  });
});
