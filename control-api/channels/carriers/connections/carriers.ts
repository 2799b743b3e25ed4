import type { AccountCarrierName } from "@parley/shared/contracts/carriers.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../../database/open.ts";
import { SEAL_CONTEXT } from "../../../sealed/contexts.ts";
import type { AccountCarrier } from "../carrier.ts";
import { type CarrierReach, createCarrier } from "./create-carrier.ts";
import { findConnection, type StoredConnection } from "./store.ts";

const MAX_KEPT = 1_000;

interface ConnectedCarrier {
  readonly connectionId: string;
  readonly orgId: string;
  readonly carrier: AccountCarrier;
}

interface Kept {
  readonly version: number;
  readonly connected: ConnectedCarrier;
}

/** The carriers of organizations, ready to use; each is kept until its credentials are changed. */
export class Carriers {
  readonly #database: Database;
  readonly #secrets: SecretBox;
  readonly #reach: CarrierReach;
  readonly #kept = new Map<string, Kept>();

  constructor(deps: {
    readonly database: Database;
    readonly secrets: SecretBox;
    readonly reach: CarrierReach;
  }) {
    this.#database = deps.database;
    this.#secrets = deps.secrets;
    this.#reach = deps.reach;
  }

  /** What calls go out with; undefined when the organization has no account there. */
  async find(orgId: string, carrier: AccountCarrierName): Promise<ConnectedCarrier | undefined> {
    return this.#open(await findConnection(this.#database, { orgId, carrier }));
  }

  /** Whom a callback is of. */
  async findById(connectionId: string): Promise<ConnectedCarrier | undefined> {
    return this.#open(await findConnection(this.#database, { id: connectionId }));
  }

  #open(row: StoredConnection | undefined): ConnectedCarrier | undefined {
    if (!row) return undefined;
    const kept = this.#kept.get(row.id);
    if (kept?.version === row.version) return kept.connected;
    const orgId = row.org_id;
    const credentials: unknown = JSON.parse(
      this.#secrets.open(row.credentials_sealed, SEAL_CONTEXT.carrier(row.id)),
    );
    const { carrier } = createCarrier(row.carrier, { orgId, credentials }, this.#reach);
    const connected = { connectionId: row.id, orgId, carrier };
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(row.id, { version: row.version, connected });
    return connected;
  }
}
