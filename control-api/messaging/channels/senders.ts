import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import { OpenedConnections } from "../../sealed/connections/opened-connections.ts";
import type { GraphReach } from "../graph/graph-api.ts";
import type { ChannelSender } from "./channel-sender.ts";
import { CHANNEL_CONNECTIONS, openSender, type StoredCredentials } from "./credentials.ts";
import type { Provider } from "./provider.ts";

/** A channel that is ready to use. */
export interface OpenedChannel {
  readonly channelId: string;
  readonly orgId: string;
  readonly provider: Provider;
  /** The provider's id of the sender. */
  readonly account: string;
  readonly credentials: StoredCredentials;
  readonly sender: ChannelSender;
}

/** Organizations' channels, ready to use; each is cached until its credentials change. */
export class Senders {
  readonly #connections: OpenedConnections<Provider, OpenedChannel>;

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
      open: ({ id, orgId, provider, account }, given) => {
        return { channelId: id, orgId, provider, account, ...openSender(provider, given, { orgId, reach }) };
      },
    });
  }

  /** Returns undefined if there is no such channel. */
  find(channelId: string): Promise<OpenedChannel | undefined> {
    return this.#connections.find({ id: channelId });
  }
}
