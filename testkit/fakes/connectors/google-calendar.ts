import { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";

export const GOOGLE_TOKEN = "ya29.fake";
const GOOGLE_PATHS = { authorize: "/o/oauth2/v2/auth", token: "/token", revoke: "/revoke" };

/** Google's consent flow: an hour of access; the refresh token stays the same. */
export function googleConsents(): FakeConsents {
  return new FakeConsents({ paths: GOOGLE_PATHS, token: GOOGLE_TOKEN, expiresIn: 3_599 });
}

/** A refusal in Google's format. */
export function googleError(code: number, message: string, reason: string): Reply {
  return {
    status: code,
    json: { error: { code, message, errors: [{ domain: "global", reason, message }] } },
  };
}

const EVENTS = "/calendar/v3/calendars/primary/events";
const at = (dateTime: string) => ({ dateTime, timeZone: "Europe/Berlin" });
/** A Monday far in the future, with half an hour taken. */
const FITTING = {
  id: "ev1",
  summary: "Fitting",
  status: "confirmed",
  start: at("2099-03-02T09:30:00+01:00"),
  end: at("2099-03-02T10:00:00+01:00"),
  attendees: [{ email: "Ada@example.com", responseStatus: "accepted" }],
};

interface EventBody {
  readonly id?: string;
  readonly summary?: string;
  readonly start?: { readonly dateTime: string };
  readonly end?: { readonly dateTime: string };
}

function list({ q = "", timeMin = "", timeMax = "9999" }: Readonly<Record<string, string>>) {
  const [from, to] = [Date.parse(timeMin), Date.parse(timeMax)];
  const isIn =
    Number.isNaN(from) ||
    (Date.parse(FITTING.end.dateTime) > from && !(Date.parse(FITTING.start.dateTime) >= to));
  const isNamed = q === "" || q.toLowerCase() === "ada@example.com";
  const items = isIn && isNamed ? [FITTING] : [];
  return ok({ kind: "calendar#events", summary: "team@example.com", timeZone: "Europe/Berlin", items });
}

function handle({ method, path, query, body }: VendorCall): Reply | undefined {
  const { id = "ev2", ...event } = body as EventBody;
  switch (`${method} ${path}`) {
    case `GET ${EVENTS}`:
      return list(query);
    case "POST /calendar/v3/freeBusy":
      return ok({
        calendars: { primary: { busy: [{ start: "2099-03-02T08:30:00Z", end: "2099-03-02T09:00:00Z" }] } },
      });
    case `POST ${EVENTS}`:
      return ok({ ...event, id, status: "confirmed" });
    case `GET ${EVENTS}/ev1`:
      return ok(FITTING);
    case `PATCH ${EVENTS}/ev1`:
      return ok({ ...FITTING, ...event });
    case `DELETE ${EVENTS}/ev1`:
      return { status: 204 };
    default:
      return undefined;
  }
}

export function startFakeGoogleCalendar(consents = googleConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) =>
      consents.isAbout(call) || consents.isKnown(call)
        ? undefined
        : googleError(401, "Request had invalid authentication credentials.", "authError"),
    isSpared: (call) => consents.isAbout(call),
    notFound: googleError(404, "Not Found", "notFound"),
  });
}
