import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { type DataKeys, dataKeyIdOf } from "../../sealed/data-keys.ts";
import type { DataKeyColumn } from "../../sealed/roll-data-keys.ts";
import type { GrantRef, StoredGrant } from "./grant-store.ts";
import type { TokenEndpoint } from "./token-request.ts";

/** The stored content of a grant. */
export interface Grant extends TokenEndpoint {
  readonly access: string;
  readonly refresh: string | null;
  readonly scope: string | null;
}

export interface SealedGrantsDeps {
  readonly dataKeys: DataKeys;
  /** Opens grants stored before data keys existed. */
  readonly secrets: SecretBox;
}

/** The sealed column of grants, for data key rotation. */
export const GRANTS: DataKeyColumn = { table: "oauth_grants", column: "sealed", row: rowContext };

export async function sealGrant(
  db: Kysely<Tables>,
  { orgId, id }: GrantRef,
  grant: Grant,
  { dataKeys }: SealedGrantsDeps,
): Promise<string> {
  return (await dataKeys.seal(db, { orgId, row: rowContext(id) }, JSON.stringify(grant))).sealed;
}

/** Throws `AppError` internal when the content belongs to another row, or its key is gone. */
export async function openGrant(
  db: Kysely<Tables>,
  { id, org_id: orgId, sealed }: StoredGrant,
  { dataKeys, secrets }: SealedGrantsDeps,
): Promise<Grant> {
  const dataKeyId = dataKeyIdOf(sealed);
  const text =
    dataKeyId === undefined
      ? secrets.open(sealed, SEAL_CONTEXT.oauthGrant(orgId, id))
      : await dataKeys.open(db, { orgId, row: rowContext(id) }, { sealed, dataKeyId });
  return JSON.parse(text) as Grant;
}

function rowContext(id: string): string {
  return `grant:${id}`;
}
