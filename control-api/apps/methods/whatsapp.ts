import { AppError } from "@parley/shared/errors.ts";
import { listChannels } from "../../messaging/channels/channel-store.ts";
import type { MessagingDeps } from "../../messaging/deps.ts";
import { sendToNumber } from "../../messaging/threads/send-to-number.ts";
import type { Handlers } from "../bridge/handlers.ts";

export type WhatsappDeps = Pick<MessagingDeps, "database" | "clock" | "queue" | "secrets">;

/** Characters people write around and between digits. */
const DECORATION = /[\s().-]/g;
const NUMBER = /^\+[1-9]\d{6,14}$/;

/** `whatsapp.…`: uses the organization's channels, as the user. */
export function whatsappMethods(deps: WhatsappDeps): Handlers {
  return {
    "whatsapp.channels": async (_, { caller }) => {
      const channels = await listChannels(deps.database.db, caller.orgId, "whatsapp");
      return channels.map(({ id }) => ({ id, kind: "whatsapp" }));
    },
    "whatsapp.send": async ({ channelId, phone, text }, { caller: { orgId, userId } }) => {
      const to = phone.replaceAll(DECORATION, "");
      if (!NUMBER.test(to))
        throw new AppError("validation_failed", "phone must start with + and the country code.");
      return { id: await sendToNumber({ orgId, channelId, to, text, userId }, deps) };
    },
  };
}
