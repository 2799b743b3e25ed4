import type { EraseContent, PersonalData } from "../../../modules/module.ts";
import type { ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

/** An appointment at the demo shop. */
export interface Booking {
  readonly id: string;
  readonly email: string;
  readonly title: string;
  readonly starts_at: Date;
  readonly status: "confirmed" | "canceled";
}

/** Stores an appointment with the conversation it was made in. */
export async function insertBooking(
  booking: Booking,
  { database, connectionId, sessionId }: ConnectorContext,
): Promise<void> {
  await database.db
    .insertInto("demo_shop_bookings")
    .values({ ...booking, connection_id: connectionId, session_id: sessionId ?? null })
    .execute();
}

/** Erases the appointments made in these calls: they hold personal data from there. */
export const eraseBookings: EraseContent = async (trx, { sessionIds }) => {
  await trx
    .deleteFrom("demo_shop_bookings")
    .where("session_id", "in", [...sessionIds])
    .execute();
};

/** The appointments that were made in calls. */
export const BOOKINGS: PersonalData = {
  name: "demo-shop-bookings",
  tables: ["demo_shop_bookings"],
  read: (db, { sessionIds }) =>
    db
      .selectFrom("demo_shop_bookings")
      .select(["session_id as sessionId", "email", "title", "starts_at as startsAt", "status"])
      .where("session_id", "in", [...sessionIds])
      .orderBy("starts_at")
      .execute(),
};

/** Upcoming confirmed appointments; a new shop has one, for Ada. */
export async function bookingsOf({ database, connectionId, nowMs }: ConnectorContext): Promise<Booking[]> {
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

/** Throws `VendorError` not_found. */
export async function change(
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
