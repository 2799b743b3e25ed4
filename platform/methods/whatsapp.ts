import { z } from "zod";
import { method, needs } from "./define.ts";
import { idSchema, phoneSchema } from "./values.ts";

export const WHATSAPP_METHODS = [
  method("whatsapp.channels", {
    about: "Lists the organization's WhatsApp numbers.",
    scope: needs("whatsapp:send"),
    gate: "canCommunicate",
    params: {},
    result: z.array(z.object({ id: z.string(), kind: z.string() })),
    empty: [],
  }),
  method("whatsapp.send", {
    about: "Sends a WhatsApp message.",
    scope: needs("whatsapp:send"),
    gate: "canCommunicate",
    writes: true,
    params: { channelId: idSchema, phone: phoneSchema, text: z.string().min(1).max(4_096) },
    result: z.object({ id: z.string() }),
    limits: { perMinute: 60, inFlight: 4 },
  }),
] as const;
