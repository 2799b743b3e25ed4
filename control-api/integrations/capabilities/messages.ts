import { z } from "zod";
import { capability, text } from "./capability.ts";

export const messages = {
  "message.send": capability({
    name: "Send a message",
    description:
      "Sends a text message: to a phone number (SMS), a contact or a channel, as the connection does.",
    isWrite: true,
    arguments: z.strictObject({
      to: text(128).describe("A phone number with + and its country, a contact's id, or a channel"),
      text: text(1_600),
    }),
    result: z.object({ id: z.string() }),
  }),
};
