import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { maybe, read, segment } from "../read.ts";
import { API } from "./verify.ts";

const MAX_SLOTS = 20;
const MAX_BOOKINGS = 10;
const BOOKINGS = { "cal-api-version": "2026-02-25" };
const SLOTS = { "cal-api-version": "2024-09-04" };

const booking = z.object({ uid: z.string(), title: maybe, start: z.string(), status: z.string() });
const one = z.object({ data: booking });
const slots = z.object({ data: z.record(z.string(), z.array(z.object({ start: z.string() }))) });

export const actions: Actions = {
  "slot.find": async ({ from, to, timeZone }, { vendor, facts }) => {
    const { body } = await vendor.send({
      url: `${API}/slots`,
      query: { eventTypeId: facts.eventTypeId, start: utc(from), end: utc(to), timeZone },
      headers: SLOTS,
    });
    const days = Object.values(read(slots, body).data);
    return { slots: days.flat().slice(0, MAX_SLOTS) };
  },
  "booking.lookup": async ({ email }, { vendor }) => {
    const { body } = await vendor.send({
      url: `${API}/bookings`,
      query: { attendeeEmail: email, status: "upcoming", take: MAX_BOOKINGS, sortStart: "asc" },
      headers: BOOKINGS,
    });
    return { bookings: read(z.object({ data: z.array(booking) }), body).data.map(shown) };
  },
  "booking.create": async ({ start, attendee }, { vendor, facts }) => {
    const { phone, ...person } = attendee;
    const { body } = await vendor.send({
      method: "POST",
      url: `${API}/bookings`,
      headers: BOOKINGS,
      json: {
        eventTypeId: Number(facts.eventTypeId),
        start: utc(start),
        attendee: { ...person, ...(phone === undefined ? {} : { phoneNumber: phone }) },
      },
    });
    return { booking: shown(read(one, body).data) };
  },
  "booking.reschedule": ({ id, start }, context) =>
    act(context, id, "reschedule", { start: utc(start), rescheduledBy: context.facts.ownerEmail }),
  "booking.cancel": ({ id, reason }, context) =>
    act(context, id, "cancel", reason === undefined ? {} : { cancellationReason: reason }),
};

async function act({ vendor }: ConnectorContext, uid: string, what: string, json: object) {
  const url = `${API}/bookings/${segment(uid)}/${what}`;
  const { body } = await vendor.send({ method: "POST", url, headers: BOOKINGS, json });
  return { booking: shown(read(one, body).data) };
}

/** Cal.com only takes times in UTC. */
function utc(moment: string): string {
  return new Date(moment).toISOString();
}

function shown({ uid, ...rest }: z.output<typeof booking>) {
  return { id: uid, ...rest };
}
