import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import type { ConnectionsKind } from "./connections.ts";
import { findConnection, type StoredConnection } from "./store.ts";

const MAX_KEPT = 1_000;

export interface OpenedConnectionsDeps<P extends string, T> {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly kind: ConnectionsKind<P>;
  /** Creates the provider client from the stored credentials. */
  readonly open: (connection: StoredConnection<P>, credentials: unknown) => T;
}

/** Connections of one kind, ready to use; each is cached until its credentials change. */
export class OpenedConnections<P extends string, T> {
  readonly #deps: OpenedConnectionsDeps<P, T>;
  readonly #kept = new Map<string, { readonly version: number; readonly opened: T }>();

  constructor(deps: OpenedConnectionsDeps<P, T>) {
    this.#deps = deps;
  }

  /**
   * Undefined if there is none. Throws `AppError` internal if its credentials cannot be unsealed: SECRETS_KEY lacks
   * their key, or they belong to another row.
   */
  async find(
    by: { readonly id: string } | { readonly orgId: string; readonly provider: P },
  ): Promise<T | undefined> {
    const { database, kind } = this.#deps;
    const row = await findConnection(database.db, kind, by);
    return row && this.#open(row);
  }

  #open(row: StoredConnection<P>): T {
    const { secrets, kind, open } = this.#deps;
    const kept = this.#kept.get(row.id);
    if (kept?.version === row.version) return kept.opened;
    const credentials: unknown = JSON.parse(secrets.open(row.credentialsSealed, kind.context(row.id)));
    const opened = open(row, credentials);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(row.id, { version: row.version, opened });
    return opened;
  }
}
