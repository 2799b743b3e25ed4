import { z } from "zod";
import { capability, email, moment, phone, text, timeZone } from "./capability.ts";

const booking = z.object({
  id: z.string(),
  title: z.string().nullable(),
  start: z.string(),
  status: z.string(),
});

export const bookings = {
  "slot.find": capability({
    name: "Find free times",
    description: "Lists free times for an appointment between two moments, in the given time zone.",
    isWrite: false,
    arguments: z.strictObject({ from: moment, to: moment, timeZone }),
    result: z.object({ slots: z.array(z.object({ start: z.string() })) }),
  }),
  "booking.lookup": capability({
    name: "Look up appointments",
    description: "Lists a person's upcoming appointments by their email.",
    isWrite: false,
    arguments: z.strictObject({ email }),
    result: z.object({ bookings: z.array(booking) }),
  }),
  "booking.create": capability({
    name: "Book an appointment",
    description: "Books a free time for a person. Use a start time that was found free.",
    isWrite: true,
    arguments: z.strictObject({
      start: moment,
      attendee: z.strictObject({ name: text(200), email, phone: phone.optional(), timeZone }),
    }),
    result: z.object({ booking }),
  }),
  "booking.reschedule": capability({
    name: "Move an appointment",
    description:
      "Moves an appointment to another free time. Its id may change: use the one in the result from then on.",
    isWrite: true,
    arguments: z.strictObject({ id: text(128), start: moment }),
    result: z.object({ booking }),
  }),
  "booking.cancel": capability({
    name: "Cancel an appointment",
    description: "Cancels an appointment.",
    isWrite: true,
    arguments: z.strictObject({ id: text(128), reason: text(500).optional() }),
    result: z.object({ booking }),
  }),
};
