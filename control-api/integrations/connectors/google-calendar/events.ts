import { z } from "zod";
import type { ConnectorContext } from "../../connector.ts";
import { maybe, read, segment } from "../read.ts";

export const API = "https://www.googleapis.com/calendar/v3";
/** More events than anyone's day has. */
const MAX_EVENTS = 250;

/** All-day events have a date and no time. */
const moment = z.object({ dateTime: maybe, date: maybe });

const event = z.object({
  id: z.string(),
  summary: maybe,
  status: maybe,
  transparency: maybe,
  start: moment.nullish(),
  end: moment.nullish(),
  attendees: z.array(z.object({ email: maybe, responseStatus: maybe })).nullish(),
});
export type Event = z.output<typeof event>;

const list = z.object({ items: z.array(event) });

export function calendarOf({ settings }: Pick<ConnectorContext, "settings">): string {
  return settings.calendarId ?? "primary";
}

export function eventsUrl(context: ConnectorContext, id?: string): string {
  const url = `${API}/calendars/${segment(calendarOf(context))}/events`;
  return id === undefined ? url : `${url}/${segment(id)}`;
}

/** Events between two moments; recurring events are expanded. */
export async function listEvents(
  { fromMs, toMs, q, limit = MAX_EVENTS }: { fromMs: number; toMs?: number; q?: string; limit?: number },
  context: ConnectorContext,
): Promise<Event[]> {
  const query = {
    timeMin: new Date(fromMs).toISOString(),
    timeMax: toMs === undefined ? undefined : new Date(toMs).toISOString(),
    q,
    singleEvents: true,
    orderBy: "startTime",
    maxResults: limit,
  };
  const { body } = await context.vendor.send({ url: eventsUrl(context), query });
  return read(list, body).items;
}

export async function getEvent(id: string, context: ConnectorContext): Promise<Event> {
  return eventIn((await context.vendor.send({ url: eventsUrl(context, id) })).body);
}

export function eventIn(body: unknown): Event {
  return read(event, body);
}

/** The moment an event begins or ends; NaN when unknown. */
export function momentMs(at: Event["start"]): number {
  return Date.parse(at?.dateTime ?? at?.date ?? "");
}

/** An event as a booking. */
export function shown({ id, summary, start, status }: Event) {
  const begins = start?.dateTime ?? start?.date ?? "";
  return { id, title: summary, start: begins, status: status ?? "confirmed" };
}
