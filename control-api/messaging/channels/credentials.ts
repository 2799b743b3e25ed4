import { parseInput } from "@parley/shared/contracts/problems.ts";
import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import type { ConnectionsKind } from "../../sealed/connections/connections.ts";
import type { ProviderKind } from "../../sealed/connections/provider-kind.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { GraphError, type GraphReach } from "../graph/graph-api.ts";
import { InstagramSender } from "../instagram/instagram-sender.ts";
import { WhatsAppSender } from "../whatsapp/whatsapp-sender.ts";
import type { ChannelSender } from "./channel-sender.ts";
import type { Provider } from "./provider.ts";

/** Common to all channels: the token for sending, and the secrets that verify Meta. */
const common = {
  accessToken: z.string().trim().min(1).max(4_096),
  appSecret: z.string().trim().min(8).max(256),
  /** Meta presents it when it checks the webhook's address. */
  verifyToken: z.string().min(16).max(128),
  /** The previous app secret: events that Meta still signs with it are accepted. */
  previousAppSecret: z.string().max(256).optional(),
};
const metaId = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{5,32}$/, `digits only: ${what}`);
const schemas = {
  whatsapp: z.strictObject({
    phoneNumberId: metaId("the phone number ID, not the number"),
    businessAccountId: metaId("the WhatsApp business account ID"),
    ...common,
  }),
  instagram: z.strictObject({ accountId: metaId("the account's ID, not its name"), ...common }),
};
/** A channel's credentials, stored sealed; providers add their own fields. */
export type StoredCredentials = z.infer<typeof schemas.instagram> | z.infer<typeof schemas.whatsapp>;

/** Credential store of channels: each channel is a connection. */
export const CHANNEL_CONNECTIONS: ConnectionsKind<Provider> = {
  kind: "credentials of messaging channels",
  table: "messaging_channels",
  providerColumn: "provider",
  providers: ["whatsapp", "instagram"],
  context: SEAL_CONTEXT.channel,
};

/** Opens a sender with stored credentials. Throws `ZodError` if they are malformed. */
export function openSender(
  provider: Provider,
  given: unknown,
  { orgId, reach }: { readonly orgId: string; readonly reach: GraphReach },
): { readonly credentials: StoredCredentials; readonly sender: ChannelSender } {
  if (provider === "whatsapp") {
    const credentials = schemas.whatsapp.parse(given);
    return { credentials, sender: new WhatsAppSender(orgId, credentials, reach) };
  }
  const credentials = schemas.instagram.parse(given);
  return { credentials, sender: new InstagramSender(orgId, credentials, reach) };
}

/** Verifies credentials with the provider before they are stored. */
export function channelProviders(reach: GraphReach): Readonly<Record<Provider, ProviderKind>> {
  return {
    whatsapp: {
      parse: (given, orgId) => {
        const credentials = parseInput(schemas.whatsapp, given, "credentials");
        const sender = new WhatsAppSender(orgId, credentials, reach);
        return {
          account: credentials.phoneNumberId,
          verify: async () => void (await asked(() => sender.describe())),
        };
      },
    },
    instagram: {
      parse: (given, orgId) => {
        const credentials = parseInput(schemas.instagram, given, "credentials");
        const sender = new InstagramSender(orgId, credentials, reach);
        return { account: credentials.accountId, verify: () => assertAccount(sender, credentials.accountId) };
      },
    },
  };
}

/** Checks that the token is this account's: another account's token would answer this one's contacts from there. */
async function assertAccount(sender: InstagramSender, accountId: string): Promise<void> {
  if ((await asked(() => sender.accountId())) === accountId) return;
  throw new AppError("bad_request", "This access token belongs to another Instagram account.");
}

/** Throws `AppError` bad_request with the provider's message, and network failures unchanged. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof GraphError ? new AppError("bad_request", error.message, { cause: error }) : error;
  }
}
