import { z } from "zod";
import { phone } from "../../capabilities/capability.ts";
import type { Actions } from "../../connector.ts";
import { id, read } from "../read.ts";
import { saveContact } from "./contacts.ts";
import { API, OLDER } from "./verify.ts";

const number = phone.regex(/^\+/);

export const messageActions = {
  "message.send": async ({ to, text }, context) => {
    const receiver = number.safeParse(to);
    // Only contacts can receive messages.
    const contactId = receiver.success
      ? (await saveContact({ phone: receiver.data }, context)).contact.id
      : to;
    const { body } = await context.vendor.send({
      method: "POST",
      url: `${API}/conversations/messages`,
      headers: OLDER,
      json: { type: "SMS", contactId, message: text },
    });
    return { id: read(z.object({ messageId: id }), body).messageId };
  },
} satisfies Actions;
