import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import { OpenedConnections } from "../../sealed/connections/opened-connections.ts";
import type { GraphReach } from "../whatsapp/graph-api.ts";
import { WhatsAppSender } from "../whatsapp/whatsapp-sender.ts";
import { CHANNEL_CONNECTIONS, type StoredCredentials, storedCredentialsSchema } from "./credentials.ts";

/** A channel ready to use. */
export interface OpenedChannel {
  readonly channelId: string;
  readonly orgId: string;
  readonly credentials: StoredCredentials;
  readonly sender: WhatsAppSender;
}

/** The channels of organizations, ready to use; each is kept until its credentials are changed. */
export class Senders {
  readonly #connections: OpenedConnections<"whatsapp", OpenedChannel>;

  constructor({
    reach,
    ...deps
  }: {
    readonly database: Database;
    readonly secrets: SecretBox;
    readonly reach: GraphReach;
  }) {
    this.#connections = new OpenedConnections({
      ...deps,
      kind: CHANNEL_CONNECTIONS,
      open: ({ id, orgId }, given) => {
        const credentials = storedCredentialsSchema.parse(given);
        return { channelId: id, orgId, credentials, sender: new WhatsAppSender(orgId, credentials, reach) };
      },
    });
  }

  /** Undefined when there is no such channel. */
  find(channelId: string): Promise<OpenedChannel | undefined> {
    return this.#connections.find({ id: channelId });
  }
}
