import type { CollectedPii } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { ErasedCalls, PersonalData } from "../../modules/module.ts";
import type { DataKeys } from "../../sealed/data-keys.ts";
import type { DataKeyColumn } from "../../sealed/roll-data-keys.ts";
import type { EndedCall } from "../store.ts";
import type { FoundPii } from "./collect.ts";

type Trx = Kysely<Tables>;

const DAY_MS = 86_400_000;
/** How long the vault keeps a value. */
const KEPT_DAYS = 30;
/** The source of values that fields collected. */
const FROM_FIELDS = "analysis";

/** Declares the sealed column for data key rotation. */
export const VAULT_VALUES: DataKeyColumn = {
  table: "pii_vault",
  column: "value_sealed",
  row: (id) => `pii_vault:${id}`,
};

/** Seals values into the vault; returns what may be shown of them. */
export async function putIntoVault(
  trx: Trx,
  { sessionId, orgId }: EndedCall,
  {
    found,
    at,
    dataKeys,
  }: { readonly found: readonly FoundPii[]; readonly at: Date; readonly dataKeys: DataKeys },
): Promise<CollectedPii[]> {
  const expiresAt = new Date(at.getTime() + KEPT_DAYS * DAY_MS);
  const collected: CollectedPii[] = [];
  for (const { ruleSlug, fieldKey, value } of found) {
    const id = newId("pii");
    const { sealed, dataKeyId } = await dataKeys.seal(trx, { orgId, row: VAULT_VALUES.row(id) }, value);
    await trx
      .insertInto("pii_vault")
      .values({
        id,
        session_id: sessionId,
        org_id: orgId,
        rule_slug: ruleSlug,
        field_key: fieldKey,
        source: FROM_FIELDS,
        value_sealed: sealed,
        data_key_id: dataKeyId,
        expires_at: expiresAt,
        created_at: at,
      })
      .execute();
    collected.push({
      id,
      ruleSlug,
      fieldKey,
      source: FROM_FIELDS,
      expiresAt: expiresAt.toISOString(),
      collected: true,
    });
  }
  return collected;
}

export interface VaultValue {
  readonly value: string;
  readonly sessionId: string;
  readonly ruleSlug: string;
}

/** Opens a value; undefined if the organization has none. Throws `AppError` internal when it cannot be opened. */
export async function openVault(
  { db }: Database,
  { orgId, id, now }: { readonly orgId: string; readonly id: string; readonly now: Date },
  dataKeys: DataKeys,
): Promise<VaultValue | undefined> {
  const row = await db
    .selectFrom("pii_vault")
    .select(["session_id", "rule_slug", "value_sealed", "data_key_id"])
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) return undefined;
  const sealed = { sealed: row.value_sealed, dataKeyId: row.data_key_id };
  const value = await dataKeys.open(db, { orgId, row: VAULT_VALUES.row(id) }, sealed);
  return { value, sessionId: row.session_id, ruleSlug: row.rule_slug };
}

/** Deletes expired values, except in organizations under legal hold. */
export async function deleteExpired({ db }: Database, now: Date): Promise<void> {
  await db
    .deleteFrom("pii_vault")
    .where("expires_at", "<=", now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("organizations")
            .select("organizations.id")
            .whereRef("organizations.id", "=", "pii_vault.org_id")
            .where("organizations.legal_hold", "=", true),
        ),
      ),
    )
    .execute();
}

/** Deletes the values collected in calls. */
export async function eraseVault(trx: Trx, { sessionIds }: ErasedCalls): Promise<void> {
  await trx
    .deleteFrom("pii_vault")
    .where("session_id", "in", [...sessionIds])
    .execute();
}

/** The vault entries of calls, without values: reading a value takes a reason, one at a time. */
export const COLLECTED: PersonalData = {
  name: "collected",
  tables: ["pii_vault"],
  read: (db, { orgId, sessionIds }) =>
    db
      .selectFrom("pii_vault")
      .select([
        "id",
        "session_id as sessionId",
        "rule_slug as rule",
        "field_key as field",
        "expires_at as expiresAt",
      ])
      .where("org_id", "=", orgId)
      .where("session_id", "in", [...sessionIds])
      .orderBy("id")
      .execute(),
};
