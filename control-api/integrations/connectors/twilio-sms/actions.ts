import { z } from "zod";
import { phone } from "../../capabilities/capability.ts";
import type { Actions } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { read } from "../read.ts";
import { accountUrl } from "./verify.ts";

const number = phone.regex(/^\+[1-9]/);

export const actions: Actions = {
  "message.send": async ({ to, text }, context) => {
    const receiver = number.safeParse(to);
    if (!receiver.success) {
      throw new VendorError("rejected", "Text messages go to phone numbers with + and their country.");
    }
    const sender = context.settings.sender ?? "";
    const from = sender.startsWith("MG") && sender.length === 34 ? "MessagingServiceSid" : "From";
    const { body } = await context.vendor.send({
      method: "POST",
      url: `${accountUrl(context)}/Messages.json`,
      form: { To: receiver.data, [from]: sender, Body: text },
    });
    return { id: read(z.object({ sid: z.string() }), body).sid };
  },
};
