import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { type Booking, bookingsOf, change, insertBooking } from "./bookings.ts";
import { findOrders } from "./orders.ts";

const HOUR_MS = 60 * 60_000;
const OPENS_AT = 9;
const CLOSES_AT = 17;
const MAX_SLOTS = 20;
const MAX_BOOKINGS = 200;

/** The demo shop's actions. Appointments start on the hour, 9 to 17 UTC; each connection has its own. */
export const actions: Actions = {
  "order.lookup": async (args, { nowMs }) => ({ orders: findOrders(args, nowMs()) }),
  "slot.find": async ({ from, to }, context) => {
    const taken = new Set((await bookingsOf(context)).map(({ starts_at }) => starts_at.getTime()));
    const slots: { start: string }[] = [];
    const first = Math.max(Date.parse(from), context.nowMs());
    for (let at = Math.ceil(first / HOUR_MS) * HOUR_MS; at < Date.parse(to); at += HOUR_MS) {
      if (isOpen(at) && !taken.has(at)) slots.push({ start: new Date(at).toISOString() });
      if (slots.length >= MAX_SLOTS) break;
    }
    return { slots };
  },
  "booking.lookup": async ({ email }, context) => {
    const bookings = await bookingsOf(context);
    return { bookings: bookings.filter((booking) => booking.email === email.toLowerCase()).map(shown) };
  },
  "booking.create": async ({ start, attendee }, context) => {
    const bookings = await bookingsOf(context);
    if (bookings.length >= MAX_BOOKINGS)
      throw new VendorError("rejected", "The demo shop's calendar is full.");
    const starts_at = assertFree(start, bookings, context);
    const booking = {
      id: `apt-${randomToken(6)}`,
      email: attendee.email.toLowerCase(),
      title: "Fitting appointment",
      starts_at,
      status: "confirmed" as const,
    };
    await insertBooking(booking, context);
    return { booking: shown(booking) };
  },
  "booking.reschedule": async ({ id, start }, context) => {
    const bookings = await bookingsOf(context);
    const starts_at = assertFree(start, bookings, context);
    return { booking: shown(await change(context, id, { starts_at })) };
  },
  "booking.cancel": async ({ id }, context) => ({
    booking: shown(await change(context, id, { status: "canceled" })),
  }),
};

function shown({ id, title, starts_at, status }: Booking) {
  return { id, title, start: starts_at.toISOString(), status };
}

function assertFree(start: string, bookings: readonly Booking[], { nowMs }: ConnectorContext): Date {
  const at = Date.parse(start);
  const isTaken = bookings.some(({ starts_at }) => starts_at.getTime() === at);
  if (at > nowMs() && isOpen(at) && !isTaken) return new Date(at);
  throw new VendorError("rejected", "This time is not free at the demo shop; look free times up first.");
}

function isOpen(at: number): boolean {
  const time = new Date(at);
  const isFull = at % HOUR_MS === 0;
  return isFull && time.getUTCHours() >= OPENS_AT && time.getUTCHours() < CLOSES_AT;
}
