import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { id, maybe, read, segment } from "../read.ts";

export const API = "https://services.leadconnectorhq.com";
/** Calendars and conversations use an older API version. */
export const OLDER = { version: "2021-04-15" };

const location = z.object({ location: z.object({ name: maybe, timezone: maybe }) });
const calendars = z.object({ calendars: z.array(z.object({ id, isActive: z.boolean().nullish() })) });

/** Records the calendar to book, and the time zone of listed appointments. */
export async function verify(context: ConnectorContext): Promise<Verified> {
  const locationId = context.settings.locationId ?? "";
  const { body } = await context.vendor.send({ url: `${API}/locations/${segment(locationId)}` });
  const { name, timezone } = read(location, body).location;
  const { calendarId, warning } = await bookedCalendar(context);
  return {
    account: name ?? locationId,
    warnings: warning === undefined ? [] : [warning],
    facts: {
      timeZone: timezone ?? "UTC",
      ...(calendarId === undefined ? {} : { calendarId }),
    },
  };
}

/** The calendar is optional: contacts and messages work without one. */
async function bookedCalendar({
  vendor,
  settings,
}: ConnectorContext): Promise<{ calendarId?: string | undefined; warning?: string }> {
  const wanted = settings.calendarId;
  try {
    const query = { locationId: settings.locationId };
    const { body } = await vendor.send({ url: `${API}/calendars/`, query, headers: OLDER });
    const known = read(calendars, body).calendars;
    const calendarId = wanted ?? (known.find(({ isActive }) => isActive !== false) ?? known[0])?.id;
    if (calendarId === undefined) return { warning: "This sub-account has no calendar to book yet." };
    if (known.some((calendar) => calendar.id === calendarId)) return { calendarId };
    const warning = `The calendar ${calendarId} is not among this sub-account's; bookings may fail.`;
    return { calendarId, warning };
  } catch (error) {
    if (!(error instanceof VendorError) || error.problem !== "denied") throw error;
    const warning = "Appointments cannot be booked: the token lacks the scopes of calendars.";
    return { calendarId: wanted, warning };
  }
}
