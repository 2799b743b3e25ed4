import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { ProviderKind } from "./provider-kind.ts";
import {
  type ConnectionsTable,
  deleteConnection,
  findConnection,
  insertConnection,
  type StoredConnection,
  updateCredentials,
} from "./store.ts";

/** Connections of one kind: where they are stored, and how their credentials are sealed. */
export interface ConnectionsKind<P extends string> extends ConnectionsTable<P> {
  /** Its name for operators. */
  readonly kind: string;
  /** Binds credentials to their row, as listed in `SEAL_CONTEXT`. */
  readonly context: (connectionId: string) => string;
}

export interface SealedConnectionsDeps<P extends string> {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly kind: ConnectionsKind<P>;
  readonly providers: Readonly<Record<P, ProviderKind>>;
}

/** Throws if the caller is no longer authorized; runs in the transaction of the change. */
export type Authorize = (trx: Kysely<Tables>) => Promise<unknown>;

interface Owner {
  readonly orgId: string;
  readonly userId: string;
}

type Credentials = Readonly<Record<string, string>>;

/**
 * Stores an account once its provider has accepted its credentials. Returns undefined if another connection of the
 * organization conflicts. Throws what `ProviderKind` and `authorize` throw.
 */
export async function connect<P extends string>(
  { provider, credentials }: { readonly provider: P; readonly credentials: Credentials },
  { orgId, userId }: Owner,
  authorize: Authorize,
  deps: SealedConnectionsDeps<P>,
): Promise<StoredConnection<P> | undefined> {
  const { kind, database, clock } = deps;
  const parsed = deps.providers[provider].parse(credentials, orgId);
  await parsed.verify();
  const id = newId("con");
  return database.db.transaction().execute(async (trx) => {
    await authorize(trx);
    const createdAt = new Date(clock.wallMs());
    const credentialsSealed = seal(id, credentials, deps);
    const { account } = parsed;
    const row = { id, orgId, provider, account, credentialsSealed, createdBy: userId, createdAt };
    return insertConnection(trx, kind, row);
  });
}

/**
 * Replaces credentials once the provider has accepted the new ones. Returns undefined if there is no such connection.
 * Throws what `ProviderKind` and `authorize` throw.
 */
export async function replaceCredentials<P extends string>(
  { id, credentials }: { readonly id: string; readonly credentials: Credentials },
  { orgId }: Pick<Owner, "orgId">,
  authorize: Authorize,
  deps: SealedConnectionsDeps<P>,
): Promise<StoredConnection<P> | undefined> {
  const { kind, database, clock } = deps;
  const known = await findConnection(database.db, kind, { id });
  if (known?.orgId !== orgId) return undefined;
  const parsed = deps.providers[known.provider].parse(credentials, orgId);
  await parsed.verify();
  return database.db.transaction().execute(async (trx) => {
    await authorize(trx);
    const at = new Date(clock.wallMs());
    const credentialsSealed = seal(id, credentials, deps);
    return updateCredentials(trx, kind, { id, orgId, account: parsed.account, credentialsSealed, at });
  });
}

/** Returns false if there is no such connection. Throws what `authorize` throws. */
export function disconnect<P extends string>(
  connection: { readonly orgId: string; readonly id: string },
  authorize: Authorize,
  { database, kind }: Pick<SealedConnectionsDeps<P>, "database" | "kind">,
): Promise<boolean> {
  return database.db.transaction().execute(async (trx) => {
    await authorize(trx);
    return deleteConnection(trx, kind, connection);
  });
}

function seal<P extends string>(
  id: string,
  credentials: Credentials,
  { secrets, kind }: Pick<SealedConnectionsDeps<P>, "secrets" | "kind">,
): string {
  return secrets.seal(JSON.stringify(credentials), kind.context(id));
}
