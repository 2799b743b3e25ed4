import { z } from "zod";
import { method, needs } from "./define.ts";

export const SESSION_METHODS = [
  method("session.token", {
    about: "Gives a short-lived JWT for audience `app:<id>`, by which the app's own backend knows who asks.",
    scope: needs("session:token"),
    params: {},
    result: z.object({ token: z.string() }),
    limits: { perMinute: 60, inFlight: 4 },
  }),
] as const;
