import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { verify } from "./verify.ts";

export const connector: Connector = {
  id: "cal-com",
  name: "Cal.com",
  category: "Scheduling",
  about: "Finds free times, and books, moves and cancels appointments.",
  authKind: "api_key",
  docsUrl: "https://cal.com/docs/api-reference/v2/introduction",
  credentials: [secret("apiKey", "API key", "Settings → Developer → API keys (cal_…).")],
  settings: [
    {
      key: "eventTypeId",
      label: "Event type ID",
      help: "Which event is booked: the number in the address of its page. Empty: the account's first one.",
      placeholder: "123456",
      isOptional: true,
      schema: z
        .string()
        .trim()
        .regex(/^\d{1,12}$/, "a number"),
    },
  ],
  mustVerify:
    "Cal.com has to be verified: the event type and the owner's email, which moving an appointment needs, are read back then.",
  apiHosts: () => ["api.cal.com"],
  authorized: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  verify,
  actions,
};
