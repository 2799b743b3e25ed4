import { CAL_KEY, startFakeCalCom } from "../../../../testkit/fakes/connectors/cal-com.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const BOOKING = { id: "b1", title: "Fitting", start: "2026-03-02T09:00:00.000Z", status: "accepted" };
const MOVED = "2026-03-03T09:00:00.000Z";
const refused = (status: number, code: string) => ({
  status,
  json: { status: "error", error: { code, message: "no" } },
});

connectorContract({
  connector,
  start: startFakeCalCom,
  settings: {},
  forms: { "API key": { apiKey: CAL_KEY } },
  badCredentials: { apiKey: "cal_nobody" },
  account: "owner@example.com",
  facts: { eventTypeId: "77", ownerEmail: "owner@example.com" },
  cases: [
    {
      capability: "slot.find",
      args: { from: "2026-03-02T09:00:00+01:00", to: "2026-03-03T09:00:00+01:00", timeZone: "Europe/Berlin" },
      result: { slots: [{ start: "2026-03-02T10:00:00.000+01:00" }] },
    },
    { capability: "booking.lookup", args: { email: "ada@example.com" }, result: { bookings: [BOOKING] } },
    {
      capability: "booking.create",
      args: {
        start: "2026-03-03T10:00:00+01:00",
        attendee: { name: "Ada", email: "ada@example.com", timeZone: "Europe/Berlin" },
      },
      result: { booking: { ...BOOKING, id: "b2", start: MOVED } },
    },
    {
      capability: "booking.reschedule",
      args: { id: "b1", start: MOVED },
      result: { booking: { ...BOOKING, id: "b3", start: MOVED } },
    },
    {
      capability: "booking.cancel",
      args: { id: "b1", reason: "Ill" },
      result: { booking: { ...BOOKING, status: "cancelled" } },
    },
  ],
  missing: { capability: "booking.cancel", args: { id: "b9" } },
  faults: {
    missingScope: refused(403, "ForbiddenException"),
    rateLimited: { ...refused(429, "ThrottlerException"), headers: { "retry-after": "20" } },
  },
});
