import { FakeVendor, type Reply, type VendorCall } from "./fake-vendor.ts";

export const CAL_KEY = "cal_live_fake";

const error = (status: number, code: string, message: string): Reply => ({
  status,
  json: { status: "error", error: { code, message } },
});
const data = (value: unknown, status = 200): Reply => ({ status, json: { status: "success", data: value } });
const BOOKING = { uid: "b1", title: "Fitting", start: "2026-03-02T09:00:00.000Z", status: "accepted" };

function refusal({ headers }: VendorCall): Reply | undefined {
  if (headers.authorization === `Bearer ${CAL_KEY}`) return undefined;
  return error(401, "UnauthorizedException", "Invalid API Key");
}

function handle({ method, path, query, headers, body }: VendorCall): Reply | undefined {
  const version = headers["cal-api-version"];
  const isBookings = path.startsWith("/v2/bookings");
  if (isBookings && version !== "2026-02-25") return error(400, "BadRequestException", "old version");
  switch (`${method} ${path}`) {
    case "GET /v2/me":
      return data({ id: 1, username: "shoes", email: "owner@example.com" });
    case "GET /v2/event-types":
      return version === "2024-06-14" ? data([{ id: 77, title: "Fitting" }]) : data({ eventTypeGroups: [] });
    case "GET /v2/slots":
      return version === "2024-09-04" &&
        query.eventTypeId === "77" &&
        query.start === "2026-03-02T08:00:00.000Z"
        ? data({ "2026-03-02": [{ start: "2026-03-02T10:00:00.000+01:00" }] })
        : data({});
    case "GET /v2/bookings":
      return data(query.attendeeEmail === "ada@example.com" ? [BOOKING] : []);
    case "POST /v2/bookings":
      return body.start === BOOKING.start
        ? error(409, "ConflictException", "User either already has booking at this time or is not available")
        : data({ ...BOOKING, uid: "b2", start: body.start }, 201);
    case "POST /v2/bookings/b1/reschedule":
      return body.rescheduledBy === "owner@example.com"
        ? data({ ...BOOKING, uid: "b3", start: body.start }, 201)
        : undefined;
    case "POST /v2/bookings/b1/cancel":
      return data({ ...BOOKING, status: "cancelled" });
    default:
      return undefined;
  }
}

export function startFakeCalCom(): Promise<FakeVendor> {
  return FakeVendor.start({
    handle,
    refusal,
    notFound: error(404, "NotFoundException", "Booking not found"),
  });
}
