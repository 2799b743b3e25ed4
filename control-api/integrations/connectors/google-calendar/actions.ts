import { createHash } from "node:crypto";
import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { read } from "../read.ts";
import { isoIn } from "../zones.ts";
import {
  API,
  calendarOf,
  type Event,
  eventIn,
  eventsUrl,
  getEvent,
  listEvents,
  momentMs,
  shown,
} from "./events.ts";
import { freeStarts, openingHours } from "./hours.ts";

const MAX_SLOTS = 20;
const MAX_BOOKINGS = 10;
const MINUTE_MS = 60_000;
/** The longest span Google searches at once. */
const MAX_SPAN_MS = 31 * 86_400_000;
const USUAL_HOURS = "Mon-Fri 09:00-17:00";
const CONFLICT = 409;
/** Emails the attendee. */
const TOLD = { sendUpdates: "all" };

const busyTimes = z.object({
  calendars: z.record(
    z.string(),
    z.object({ busy: z.array(z.object({ start: z.string(), end: z.string() })).default([]) }),
  ),
});

export const actions: Actions = {
  "slot.find": async ({ from, to, timeZone }, context) => {
    const startMs = Math.max(Date.parse(from), context.nowMs());
    const endMs = Math.min(Date.parse(to), startMs + MAX_SPAN_MS);
    if (endMs <= startMs) return { slots: [] };
    const busy = await busyBetween({ startMs, endMs }, context);
    const starts = freeStarts({ startMs, endMs }, busy, {
      hours: openingHours(context.settings.hours ?? USUAL_HOURS) ?? [],
      timeZone: context.facts.timeZone ?? "UTC",
      lengthMs: lengthMs(context),
      limit: MAX_SLOTS,
    });
    return { slots: starts.map((ms) => ({ start: isoIn(ms, timeZone) })) };
  },
  "booking.lookup": async ({ email }, context) => {
    const found = await listEvents({ fromMs: context.nowMs(), q: email }, context);
    const isTheirs = ({ attendees }: Event) =>
      attendees?.some((attendee) => attendee.email?.toLowerCase() === email.toLowerCase()) ?? false;
    return { bookings: found.filter(isTheirs).slice(0, MAX_BOOKINGS).map(shown) };
  },
  "booking.create": async ({ start, attendee }, context) => {
    const startMs = Date.parse(start);
    const span = { startMs, endMs: startMs + lengthMs(context) };
    const id = eventId(context.idempotencyKey);
    await assertFree(span, id, context);
    const { name, email, phone, timeZone } = attendee;
    const json = {
      ...(id === undefined ? {} : { id }),
      summary: name,
      ...(phone === undefined ? {} : { description: `Phone: ${phone}` }),
      ...times(span, timeZone),
      attendees: [{ email, displayName: name }],
    };
    return { booking: shown(await insert(json, id, context)) };
  },
  "booking.reschedule": async ({ id, start }, context) => {
    const event = await getEvent(id, context);
    const startMs = Date.parse(start);
    const tookMs = momentMs(event.end) - momentMs(event.start);
    const span = { startMs, endMs: startMs + (tookMs > 0 ? tookMs : lengthMs(context)) };
    await assertFree(span, id, context);
    const { body } = await context.vendor.send({
      method: "PATCH",
      url: eventsUrl(context, id),
      query: TOLD,
      json: times(span, context.facts.timeZone ?? "UTC"),
    });
    return { booking: shown(eventIn(body)) };
  },
  "booking.cancel": async ({ id }, context) => {
    const event = await getEvent(id, context);
    await context.vendor.send({ method: "DELETE", url: eventsUrl(context, id), query: TOLD });
    return { booking: { ...shown(event), status: "cancelled" } };
  },
};

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

async function busyBetween({ startMs, endMs }: Span, context: ConnectorContext): Promise<Span[]> {
  const id = calendarOf(context);
  const { body } = await context.vendor.send({
    method: "POST",
    url: `${API}/freeBusy`,
    json: {
      timeMin: new Date(startMs).toISOString(),
      timeMax: new Date(endMs).toISOString(),
      items: [{ id }],
    },
  });
  const busy = Object.values(read(busyTimes, body).calendars).flatMap((calendar) => calendar.busy);
  return busy.map(({ start, end }) => ({ startMs: Date.parse(start), endMs: Date.parse(end) }));
}

/** Google would double-book. Throws `VendorError` rejected. */
async function assertFree({ startMs, endMs }: Span, ownId: string | undefined, context: ConnectorContext) {
  const there = await listEvents({ fromMs: startMs, toMs: endMs }, context);
  const isTaken = there.some(
    ({ id, status, transparency }) =>
      id !== ownId && status !== "cancelled" && transparency !== "transparent",
  );
  if (isTaken) throw new VendorError("rejected", "That time is no longer free. Look for another one.");
}

/** Uses our own event id, so that a retry finds the event of the first request. */
async function insert(json: object, id: string | undefined, context: ConnectorContext): Promise<Event> {
  const { status, body } = await context.vendor.send({
    method: "POST",
    url: eventsUrl(context),
    query: TOLD,
    json,
    ...(id === undefined ? {} : { alsoAnswers: [CONFLICT] }),
  });
  return status === CONFLICT && id !== undefined ? getEvent(id, context) : eventIn(body);
}

function times({ startMs, endMs }: Span, timeZone: string) {
  const at = (ms: number) => ({ dateTime: isoIn(ms, timeZone), timeZone });
  return { start: at(startMs), end: at(endMs) };
}

function lengthMs({ settings }: ConnectorContext): number {
  return Number(settings.minutes ?? 30) * MINUTE_MS;
}

/** Google's event ids are base32hex, which includes all hexadecimal digits. */
function eventId(idempotencyKey: string | undefined): string | undefined {
  return idempotencyKey && createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 40);
}
