import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const GHL = { token: "pit-1", locationId: "loc1" };

export const ghlRefusal = (status: number, message: string): Reply => ({
  status,
  json: { statusCode: status, message, traceId: "t-1" },
});

const ADA = {
  id: "c51",
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@example.com",
  phone: "+14155550101",
};
/** A contact's appointments are listed in the sub-account's time zone. */
const EVENTS = [
  { id: "a2", title: "Later", startTime: "2098-07-02 10:00:00", appointmentStatus: "confirmed" },
  { id: "a1", title: "Fitting", startTime: "2098-01-02 10:00:00", appointmentStatus: "confirmed" },
  { id: "a3", title: "Off", startTime: "2098-01-03 10:00:00", appointmentStatus: "cancelled" },
  { id: "a4", title: "Past", startTime: "2020-01-03 10:00:00", appointmentStatus: "confirmed" },
];
const A1 = {
  id: "a1",
  title: "Fitting",
  calendarId: "cal1",
  locationId: GHL.locationId,
  contactId: "c51",
  startTime: "2098-01-02T10:00:00+01:00",
  appointmentStatus: "confirmed",
};

function refusal({ headers, path }: VendorCall): Reply | undefined {
  if (headers.authorization !== `Bearer ${GHL.token}`) return ghlRefusal(401, "Invalid JWT");
  const isOlder = path.startsWith("/calendars") || path.startsWith("/conversations");
  if (headers.version === (isOlder ? "2021-04-15" : "2021-07-28")) return undefined;
  return ghlRefusal(401, "version header is invalid");
}

type Body = Readonly<Record<string, string | undefined>>;

function contacts({ method, path, query, body }: VendorCall): Reply | undefined {
  const given = body as Body;
  switch (`${method} ${path}`) {
    case "GET /contacts/search/duplicate":
      if (query.locationId !== GHL.locationId)
        return ghlRefusal(403, "The token does not have access to this location.");
      return ok({
        contact: query.email === ADA.email || query.number === ADA.phone ? ADA : null,
        traceId: "t-1",
      });
    case "POST /contacts/upsert": {
      const { locationId, ...values } = given;
      if (locationId !== GHL.locationId) return ghlRefusal(422, "locationId should not be empty");
      const isAda = values.email === ADA.email || values.phone === ADA.phone;
      const [firstName, lastName] = values.name?.split(" ") ?? [];
      const names = values.name === undefined ? {} : { firstName, lastName };
      return ok({ new: !isAda, contact: { ...(isAda ? ADA : { id: "c52" }), ...values, ...names } });
    }
    case "POST /contacts/c51/notes":
      return { status: 201, json: { note: { id: "n1", body: given.body, contactId: "c51" } } };
    case "GET /contacts/c51/appointments":
      return ok({ events: EVENTS, traceId: "t-1" });
    default:
      return undefined;
  }
}

function calendars({ method, path, query, body }: VendorCall): Reply | undefined {
  const { startTime, calendarId, contactId, locationId, title } = body as Body;
  switch (`${method} ${path}`) {
    case "GET /calendars/":
      return ok({
        calendars: [
          { id: "cal0", name: "Old", isActive: false },
          { id: "cal1", name: "Fittings", isActive: true },
        ],
      });
    case "GET /calendars/cal1/free-slots": {
      const slots = query.startDate === "1772438400000" ? ["2026-03-02T10:00:00+01:00"] : [];
      return ok({ "2026-03-02": { slots }, traceId: "t-1" });
    }
    case "POST /calendars/events/appointments":
      if (calendarId === undefined || contactId === undefined || locationId === undefined)
        return ghlRefusal(422, "calendarId, contactId and locationId should not be empty");
      return { status: 201, json: { ...A1, id: "a9", startTime, title, contactId } };
    case "PUT /calendars/events/appointments/a1":
      return ok({ ...A1, ...(body as Body) });
    default:
      return undefined;
  }
}

function handle(call: VendorCall): Reply | undefined {
  const { method, path, body } = call;
  if (`${method} ${path}` === `GET /locations/${GHL.locationId}`)
    return ok({ location: { id: GHL.locationId, name: "Shoes Inc", timezone: "Europe/Berlin" } });
  if (`${method} ${path}` === "POST /conversations/messages") {
    const { type, contactId, message } = body as Body;
    if (type !== "SMS" || !message) return ghlRefusal(422, "type and message should not be empty");
    if (contactId !== ADA.id) return ghlRefusal(400, `Contact with id ${contactId} not found`);
    return { status: 201, json: { conversationId: "v1", messageId: "m1", status: "pending" } };
  }
  return contacts(call) ?? calendars(call);
}

export function startFakeGohighlevel(): Promise<FakeVendor> {
  return FakeVendor.start({ handle, refusal, notFound: ghlRefusal(404, "Not found") });
}
