import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sql } from "kysely";
import type { Database } from "../database/open.ts";
import { SEALED_COLUMNS, type SealedColumn } from "./columns.ts";
import { keyIdOf, sealedTexts } from "./sealed-texts.ts";

/** How many stored secrets of a kind a key has sealed. */
export interface StoredKey {
  readonly kind: string;
  readonly keyId: string;
  readonly secrets: number;
}

/** The keys that sealed stored secrets; reads the columns in full. */
export async function listStoredKeys(
  { db }: Database,
  columns: readonly SealedColumn[] = SEALED_COLUMNS,
): Promise<StoredKey[]> {
  const found: StoredKey[] = [];
  for (const column of columns) {
    const { rows } = await sql<{ keyId: string; secrets: string | number }>`
      select ${keyIdOf(sql.ref("s.sealed"))} as "keyId", count(*) as secrets
      from ${sealedTexts(column)} as s group by 1 order by 1`.execute(db);
    found.push(...rows.map(({ keyId, secrets }) => ({ kind: column.kind, keyId, secrets: Number(secrets) })));
  }
  return found;
}

/**
 * Logs which stored secrets this process cannot open because SECRETS_KEY lacks their keys. Nothing else fails: using
 * such a secret returns an error that says so. Never throws.
 */
export async function reportLostKeys(deps: {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly log: Logger;
}): Promise<void> {
  const { database, secrets, log } = deps;
  try {
    const lasting = SEALED_COLUMNS.filter(({ isShortLived }) => isShortLived !== true);
    const stored = await listStoredKeys(database, lasting);
    const lost = stored.filter(({ keyId }) => !secrets.keyIds.includes(keyId));
    if (lost.length === 0) return;
    log.error(
      {
        event: "secrets_key_missing",
        keyIds: [...new Set(lost.map(({ keyId }) => keyId))],
        unopenable: lost,
        runbook: "docs/operations.md#keys",
      },
      "SECRETS_KEY lacks keys that stored secrets were encrypted with: add them behind the others, or have the secrets entered again",
    );
  } catch (error) {
    log.warn(
      { event: "secrets_check_failed", err: messageOf(error) },
      "failed to look for stored secrets that cannot be decrypted",
    );
  }
}
