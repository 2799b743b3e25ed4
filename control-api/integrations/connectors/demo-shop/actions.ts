import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { findOrders } from "./orders.ts";

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const OPENS_AT = 9;
const CLOSES_AT = 17;
const MAX_SLOTS = 20;
const MAX_BOOKINGS = 200;

/** What the demo shop does. Appointments are at full hours, 9 to 17 UTC, and each connection has its own. */
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
      connection_id: context.connectionId,
      id: `apt-${randomToken(6)}`,
      email: attendee.email.toLowerCase(),
      title: "Fitting appointment",
      starts_at,
      status: "confirmed" as const,
    };
    await context.database.db.insertInto("demo_shop_bookings").values(booking).execute();
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

interface Booking {
  readonly id: string;
  readonly email: string;
  readonly title: string;
  readonly starts_at: Date;
  readonly status: "confirmed" | "canceled";
}

function shown({ id, title, starts_at, status }: Booking) {
  return { id, title, start: starts_at.toISOString(), status };
}

/** The confirmed ones that are to come; a new shop has one, of Ada's. */
async function bookingsOf({ database, connectionId, nowMs }: ConnectorContext): Promise<Booking[]> {
  const firstAt = Math.floor(nowMs() / DAY_MS) * DAY_MS + 2 * DAY_MS + 10 * HOUR_MS;
  await database.db
    .insertInto("demo_shop_bookings")
    .values({
      connection_id: connectionId,
      id: "apt-1",
      email: "ada@example.com",
      title: "Fitting appointment",
      starts_at: new Date(firstAt),
      status: "confirmed",
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return database.db
    .selectFrom("demo_shop_bookings")
    .select(["id", "email", "title", "starts_at", "status"])
    .where("connection_id", "=", connectionId)
    .where("status", "=", "confirmed")
    .where("starts_at", ">=", new Date(nowMs()))
    .orderBy("starts_at")
    .execute();
}

async function change(
  { database, connectionId }: ConnectorContext,
  id: string,
  changes: { starts_at?: Date; status?: "canceled" },
): Promise<Booking> {
  const changed = await database.db
    .updateTable("demo_shop_bookings")
    .set(changes)
    .where("connection_id", "=", connectionId)
    .where("id", "=", id)
    .where("status", "=", "confirmed")
    .returning(["id", "email", "title", "starts_at", "status"])
    .executeTakeFirst();
  if (changed) return changed;
  throw new VendorError("not_found", "The demo shop has no such appointment.");
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
