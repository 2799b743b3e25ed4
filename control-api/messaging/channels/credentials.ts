import { parseInput } from "@parley/shared/contracts/problems.ts";
import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import type { ConnectionsKind } from "../../sealed/connections/connections.ts";
import type { ProviderKind } from "../../sealed/connections/provider-kind.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { GraphError, type GraphReach } from "../whatsapp/graph-api.ts";
import { WhatsAppSender } from "../whatsapp/whatsapp-sender.ts";

/** What is stored of a number, sealed. */
export const storedCredentialsSchema = z.strictObject({
  phoneNumberId: z
    .string()
    .trim()
    .regex(/^\d{5,32}$/, "digits only: the phone number ID, not the number"),
  businessAccountId: z
    .string()
    .trim()
    .regex(/^\d{5,32}$/, "digits only: the WhatsApp business account ID"),
  accessToken: z.string().trim().min(1).max(4_096),
  appSecret: z.string().trim().min(8).max(256),
  /** What Meta shows when it asks whether the webhook's address is right. */
  verifyToken: z.string().min(16).max(128),
  /** The one before: what Meta still signs with it is taken. */
  previousAppSecret: z.string().max(256).optional(),
});
export type StoredCredentials = z.infer<typeof storedCredentialsSchema>;

/** Where the credentials of channels are stored: a channel is its connection. */
export const CHANNEL_CONNECTIONS: ConnectionsKind<"whatsapp"> = {
  kind: "credentials of messaging channels",
  table: "messaging_channels",
  providerColumn: "provider",
  providers: ["whatsapp"],
  context: SEAL_CONTEXT.channel,
};

/** Held against WhatsApp before they are stored. */
export function channelProviders(reach: GraphReach): Readonly<Record<"whatsapp", ProviderKind>> {
  return {
    whatsapp: {
      parse: (given, orgId) => {
        const credentials = parseInput(storedCredentialsSchema, given, "credentials");
        const sender = new WhatsAppSender(orgId, credentials, reach);
        return {
          account: credentials.phoneNumberId,
          verify: async () => void (await asked(() => sender.describe())),
        };
      },
    },
  };
}

/** Throws `AppError` bad_request with what WhatsApp said, or what the network's failure is. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof GraphError ? new AppError("bad_request", error.message, { cause: error }) : error;
  }
}
