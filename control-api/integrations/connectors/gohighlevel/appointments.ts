import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { id, maybe, read, segment } from "../read.ts";
import { addNote, findContact, saveContact } from "./contacts.ts";
import { inZone } from "./times.ts";
import { API, OLDER } from "./verify.ts";

const MAX_SLOTS = 20;
const MAX_BOOKINGS = 10;
const OVER = new Set(["cancelled", "invalid", "noshow"]);
const URL = `${API}/calendars/events/appointments`;

const day = z.object({ slots: z.array(z.string()) });
const appointment = z.object({
  id,
  title: maybe,
  startTime: z.string(),
  appointmentStatus: maybe,
  contactId: maybe,
});

export const appointmentActions = {
  "slot.find": async ({ from, to, timeZone }, context) => {
    const { body } = await context.vendor.send({
      url: `${API}/calendars/${segment(calendarOf(context))}/free-slots`,
      query: { startDate: Date.parse(from), endDate: Date.parse(to), timezone: timeZone },
      headers: OLDER,
    });
    // The response holds the request id next to the days.
    const days = Object.values(read(z.record(z.string(), z.unknown()), body));
    const slots = days.flatMap((value) => day.safeParse(value).data?.slots ?? []);
    return { slots: slots.slice(0, MAX_SLOTS).map((start) => ({ start })) };
  },
  "booking.lookup": async ({ email }, context) => {
    const contact = await findContact({ email }, context);
    if (!contact) return { bookings: [] };
    const url = `${API}/contacts/${segment(contact.id)}/appointments`;
    const { body } = await context.vendor.send({ url });
    const { events } = read(z.object({ events: z.array(appointment) }), body);
    const now = new Date(context.nowMs()).toISOString();
    const coming = events
      .map((found) => shown(found, context))
      .filter(({ start, status }) => start >= now && !OVER.has(status));
    return { bookings: coming.toSorted(byStart).slice(0, MAX_BOOKINGS) };
  },
  "booking.create": async ({ start, attendee }, context) => {
    const calendarId = calendarOf(context);
    const { name, email, phone } = attendee;
    const { contact } = await saveContact({ name, email, phone }, context);
    const { body } = await context.vendor.send({
      method: "POST",
      url: URL,
      headers: OLDER,
      json: {
        calendarId,
        locationId: context.settings.locationId,
        contactId: contact.id,
        startTime: start,
        title: name,
      },
    });
    return { booking: shown(read(appointment, body), context) };
  },
  "booking.reschedule": async ({ id: bookingId, start }, context) => ({
    booking: shown(await change(bookingId, { startTime: start }, context), context),
  }),
  "booking.cancel": async ({ id: bookingId, reason }, context) => {
    const canceled = await change(bookingId, { appointmentStatus: "cancelled" }, context);
    if (reason !== undefined && canceled.contactId !== null)
      await keepReason(canceled.contactId, reason, context);
    return { booking: shown(canceled, context) };
  },
} satisfies Actions;

async function change(bookingId: string, json: object, { vendor }: ConnectorContext) {
  const url = `${URL}/${segment(bookingId)}`;
  const { body } = await vendor.send({ method: "PUT", url, headers: OLDER, json });
  return read(appointment, body);
}

/** Adds the reason as a note, as appointments have no field for it. A failure does not undo the cancellation. */
async function keepReason(contactId: string, reason: string, context: ConnectorContext): Promise<void> {
  await addNote(contactId, `Appointment canceled: ${reason}`, context).catch((error: unknown) => {
    if (!(error instanceof VendorError)) throw error;
  });
}

function calendarOf({ settings, facts }: ConnectorContext): string {
  const calendarId = settings.calendarId ?? facts.calendarId;
  if (calendarId !== undefined) return calendarId;
  throw new VendorError("denied", "No calendar is known: enter one, or test the connection once it has one.");
}

function shown(found: z.output<typeof appointment>, { facts }: ConnectorContext) {
  const { id: bookingId, title, startTime, appointmentStatus } = found;
  const status = appointmentStatus ?? "confirmed";
  return { id: bookingId, title, start: inZone(startTime, facts.timeZone ?? "UTC"), status };
}

function byStart(one: { readonly start: string }, other: { readonly start: string }): number {
  return one.start < other.start ? -1 : 1;
}
