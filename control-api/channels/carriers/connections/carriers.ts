import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../../database/open.ts";
import { OpenedConnections } from "../../../sealed/connections/opened-connections.ts";
import type { AccountCarrier } from "../carrier.ts";
import { type CarrierReach, createCarrier } from "./create-carrier.ts";
import { CARRIER_CONNECTIONS } from "./kind.ts";

interface ConnectedCarrier {
  readonly connectionId: string;
  readonly orgId: string;
  readonly carrier: AccountCarrier;
}

/** Carriers of organizations, ready to use. */
export class Carriers {
  readonly #connections: OpenedConnections<AccountCarrierName, ConnectedCarrier>;

  constructor({
    reach,
    ...deps
  }: {
    readonly database: Database;
    readonly secrets: SecretBox;
    readonly reach: CarrierReach;
  }) {
    this.#connections = new OpenedConnections({
      ...deps,
      kind: CARRIER_CONNECTIONS,
      open: ({ id, orgId, provider }, credentials) => ({
        connectionId: id,
        orgId,
        carrier: createCarrier(provider, { orgId, credentials }, reach),
      }),
    });
  }

  /** The carrier for outbound calls; undefined if the organization has no account there. */
  find(orgId: string, carrier: AccountCarrierName): Promise<ConnectedCarrier | undefined> {
    return this.#connections.find({ orgId, provider: carrier });
  }

  /** The connection that a callback belongs to. */
  findById(connectionId: string): Promise<ConnectedCarrier | undefined> {
    return this.#connections.find({ id: connectionId });
  }
}
