import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { googleConsent, googleRefusal } from "../google.ts";
import { actions } from "./actions.ts";
import { openingHours } from "./hours.ts";
import { verify } from "./verify.ts";

export const connector: Connector = {
  id: "google-calendar",
  name: "Google Calendar",
  category: "Scheduling",
  about:
    "Finds free times in a calendar, and books, moves and cancels appointments; who is booked gets Google's invitation.",
  authKind: "oauth2",
  docsUrl: "https://developers.google.com/workspace/calendar/api/auth",
  credentials: [],
  settings: [
    {
      key: "calendarId",
      label: "Calendar ID",
      help: "Settings of the calendar → Integrate calendar. Empty: the main calendar of the person who signs in.",
      placeholder: "team@group.calendar.google.com",
      isOptional: true,
    },
    {
      key: "hours",
      label: "Opening hours",
      help: "When appointments are possible, in the calendar's time zone. Default: Mon-Fri 09:00-17:00.",
      placeholder: "Mon-Fri 09:00-12:30, Mon-Thu 14:00-18:00",
      isOptional: true,
      schema: z
        .string()
        .trim()
        .refine(
          (value) => openingHours(value) !== undefined,
          "days and times such as Mon-Fri 09:00-17:00, separated by commas",
        ),
    },
    {
      key: "minutes",
      label: "Appointment length (minutes)",
      help: "Default: 30.",
      placeholder: "30",
      isOptional: true,
      schema: z
        .string()
        .trim()
        .regex(/^([5-9]|[1-9]\d|[1-3]\d\d|4[0-7]\d|480)$/, "a number from 5 to 480"),
    },
  ],
  apiHosts: () => ["www.googleapis.com"],
  authorized: (_credentials, token) => ({ authorization: `Bearer ${token}` }),
  oauth: googleConsent("calendar.events", "calendar.freebusy"),
  refusalOf: googleRefusal,
  verify,
  actions,
};
